// A language of arrays, whose every line becomes one kernel: element-wise arithmetic and reductions
// of rows, fused. Lines come from standard input, the device from the command line:
//
//   x = random 4 781                            4 rows of 781 numbers from -1 to 1
//   i = range 4 781                             in each row 0, 1, 2, ...
//   y = exp(x - max(x)) / sum(exp(x - max(x)))  one program a row; max, min, sum and mean are a
//   row's show y                                      the first and the last numbers kernel the one
//   that the last expression became
//
// There are + - * / ( ), numbers, arrays, abs, exp, log, sqrt, rsqrt and tanh.
#include "fsm/Builder/KernelBuilder.h"
#include "fsm/Engine/Engine.h"

#include <cctype>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>

using namespace fsm;

namespace {
struct Array {
  int32_t rows = 0, columns = 0;
  std::vector<float> numbers;
};
using Arrays = std::map<std::string, Array>;

constexpr unsigned kMostNested = 100;

/// An expression as a kernel, while it is read.
class Expression {
public:
  Expression(const std::string &text, Arrays &arrays)
      : text(text), arrays(arrays), k("expression") {}

  /// False with a sentence in `wrong`. `inputs` are the arrays that the kernel takes, behind the
  /// result.
  bool build();

  std::string wrong;
  std::vector<std::string> inputs;
  int32_t rows = 0, columns = 0;
  Result<std::string> kernel() const { return k.text(); }

private:
  char next() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    return at < text.size() ? text[at] : '\0';
  }
  bool take(char c) { return next() == c && ++at; }
  Operand fail(const std::string &expected) {
    if (wrong.empty())
      wrong = "column " + std::to_string(at + 1) + ": expected " + expected;
    return 0;
  }
  std::string word() {
    next();
    size_t begin = at;
    while (at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      ++at;
    return text.substr(begin, at - begin);
  }

  Operand sums();
  Operand products();
  Operand factor();
  Operand call(const std::string &name);
  Operand array(const std::string &name);
  /// Numbers among themselves are computed here; with an array, by the kernel.
  template <typename Op>
  static Operand apply(Op op, const Operand &left, const Operand &right) {
    if (left.isNumber() && right.isNumber())
      return op(left.real, right.real);
    return op(left, right);
  }

  const std::string &text;
  Arrays &arrays;
  KernelBuilder k;
  size_t at = 0;
  unsigned depth = 0;
  std::map<std::string, Value> loaded;
};
} // namespace

Operand Expression::sums() {
  Operand left = products();
  while (next() == '+' || next() == '-') {
    bool isSum = text[at++] == '+';
    Operand right = products();
    left = isSum ? apply([](const auto &a, const auto &b) { return Operand(a + b); }, left, right)
                 : apply([](const auto &a, const auto &b) { return Operand(a - b); }, left, right);
  }
  return left;
}

Operand Expression::products() {
  Operand left = factor();
  while (next() == '*' || next() == '/') {
    bool isProduct = text[at++] == '*';
    Operand right = factor();
    left = isProduct
               ? apply([](const auto &a, const auto &b) { return Operand(a * b); }, left, right)
               : apply([](const auto &a, const auto &b) { return Operand(a / b); }, left, right);
  }
  return left;
}

Operand Expression::factor() {
  bool isNegative = false;
  while (take('-'))
    isNegative = !isNegative;
  if (isNegative)
    return apply([](const auto &a, const auto &b) { return Operand(a * b); }, factor(), -1.0);
  if (take('(')) {
    if (++depth > kMostNested)
      return fail("fewer parentheses in one another");
    Operand inner = sums();
    --depth;
    return take(')') ? inner : fail("')'");
  }
  if (std::isdigit(static_cast<unsigned char>(next())) || next() == '.') {
    char *end = nullptr;
    double number = std::strtod(text.c_str() + at, &end);
    at = static_cast<size_t>(end - text.c_str());
    return number;
  }
  std::string name = word();
  if (name.empty())
    return fail("a number, an array or '('");
  return next() == '(' ? call(name) : array(name);
}

Operand Expression::call(const std::string &name) {
  using Function = Value (*)(const Operand &);
  static const std::map<std::string, Function> functions = {
      {"abs", abs}, {"exp", exp}, {"log", log}, {"sqrt", sqrt}, {"rsqrt", rsqrt}, {"tanh", tanh}};
  size_t begin = at;
  Operand inner = factor();
  if (!wrong.empty())
    return inner;
  if (inner.isNumber())
    return fail("an array in what '" + name + "' is of");
  if (auto found = functions.find(name); found != functions.end())
    return found->second(inner);
  // What is the same in all of a row is one number already.
  if (inner.value.shape().empty() && (name == "max" || name == "min" || name == "mean"))
    return inner;
  if (name == "max" || name == "min")
    return name == "max" ? max(inner) : min(inner);
  if (name == "sum" || name == "mean") {
    Value all = inner.value.shape().empty() ? inner * columns : sum(inner);
    return name == "sum" ? all : all / columns;
  }
  at = begin - name.size();
  return fail("a function, got '" + name + "'");
}

Operand Expression::array(const std::string &name) {
  auto found = arrays.find(name);
  if (found == arrays.end()) {
    at -= name.size();
    return fail("an array that there is, got '" + name + "'");
  }
  return loaded[name];
}

bool Expression::build() {
  // The arrays among its names become arguments, in front of all else.
  Value out = k.pointer(ScalarType::F32, "out");
  std::vector<Value> pointers;
  while (at < text.size()) {
    std::string name = word();
    if (name.empty() && ++at)
      continue;
    auto found = arrays.find(name);
    if (found == arrays.end() || loaded.count(name))
      continue;
    if (rows && rows != found->second.rows)
      return fail("arrays of one number of rows, got " + std::to_string(rows) + " and " +
                  std::to_string(found->second.rows)),
             false;
    rows = found->second.rows;
    columns = std::max(columns, found->second.columns);
    inputs.push_back(name);
    loaded[name] = {};
    pointers.push_back(k.pointer(ScalarType::F32, "in_" + name));
  }
  at = 0;
  if (inputs.empty())
    return fail("an array"), false;
  Value row = k.programId(), places = k.range(columns);
  for (size_t i = 0; i < inputs.size(); ++i) {
    int32_t width = arrays[inputs[i]].columns;
    if (width != 1 && width != columns)
      return fail("arrays of one number of columns, or of 1, got " + std::to_string(width) +
                  " and " + std::to_string(columns)),
             false;
    loaded[inputs[i]] =
        width == 1 ? k.load(pointers[i], row) : k.load(pointers[i] + row * width, places);
  }
  Operand result = sums();
  if (wrong.empty() && next() != '\0')
    fail("an operator or the end");
  if (wrong.empty() && result.isNumber())
    fail("an array in the result");
  if (!wrong.empty())
    return false;
  if (result.value.shape().empty())
    columns = 1;
  k.store(out + row * columns, columns == 1 ? Operand() : Operand(places), result);
  return true;
}

/// Numbers that look random, the same each time.
static float randomNumber(uint32_t place) {
  uint32_t bits = (place + 1) * 2654435769u;
  bits = (bits ^ bits >> 15) * 2246822519u;
  bits = (bits ^ bits >> 13) * 3266489917u;
  return static_cast<float>(static_cast<int32_t>(bits ^ bits >> 16)) / 2147483648.0f;
}

static std::string evaluate(Engine &engine, Arrays &arrays, const std::string &name,
                            const std::string &text, std::string &kernel) {
  Expression expression(text, arrays);
  if (!expression.build())
    return expression.wrong;
  Result<std::string> built = expression.kernel();
  if (!built)
    return built.error().message;
  kernel = *built;
  Result<Kernel> loaded = engine.load({kernel, name, {}});
  if (!loaded)
    return loaded.error().message;
  Array result{expression.rows, expression.columns, {}};
  result.numbers.resize(static_cast<size_t>(result.rows) * static_cast<size_t>(result.columns));
  auto buffer = [](std::vector<float> &v) {
    return Argument::buffer(v.data(), v.size() * sizeof(float));
  };
  std::vector<Argument> arguments = {buffer(result.numbers)};
  for (const std::string &input : expression.inputs)
    arguments.push_back(buffer(arrays[input].numbers));
  if (Result<void> done = engine.launch(*loaded, {result.rows}, arguments); !done)
    return done.error().message;
  arrays[name] = std::move(result);
  return "";
}

/// What a line says, done; what is wrong with it.
static std::string perform(Engine &engine, Arrays &arrays, const std::string &line,
                           std::string &kernel) {
  std::istringstream words(line);
  std::string name, equals, how;
  int32_t rows = 0, columns = 0;
  words >> name >> equals;
  if (name == "kernel")
    return std::cout << kernel, "";
  if (name == "show") {
    auto found = arrays.find(equals);
    if (found == arrays.end())
      return "expected an array to show, got '" + equals + "'";
    const Array &array = found->second;
    std::cout << equals << ": " << array.rows << " x " << array.columns << ", "
              << array.numbers.front() << " ... " << array.numbers.back() << "\n";
    return "";
  }
  size_t begin = line.find('=');
  if (equals != "=")
    return "expected NAME = EXPRESSION, 'show NAME' or 'kernel', got '" + line + "'";
  words >> how;
  if (how != "random" && how != "range")
    return evaluate(engine, arrays, name, line.substr(begin + 1), kernel);
  if (!(words >> rows >> columns) || rows < 1 || columns < 1 || columns > 1 << 20 || rows > 1 << 20)
    return "expected '" + how + "', the number of rows and that of columns";
  Array array{rows, columns, {}};
  for (uint32_t place = 0; place < static_cast<uint32_t>(rows) * static_cast<uint32_t>(columns);
       ++place)
    array.numbers.push_back(how == "random"
                                ? randomNumber(place)
                                : static_cast<float>(place % static_cast<uint32_t>(columns)));
  arrays[name] = std::move(array);
  return "";
}

int main(int argc, char **argv) {
  Result<Engine> engine = Engine::create(argc > 1 ? argv[1] : "");
  if (!engine) {
    std::cerr << engine.error().message << "\n";
    return 1;
  }
  Arrays arrays;
  std::string line, kernel;
  int status = 0;
  while (std::cout << "> " << std::flush, std::getline(std::cin, line)) {
    if (line.find_first_not_of(" \t") == line.npos)
      continue;
    std::string wrong = perform(*engine, arrays, line, kernel);
    if (!wrong.empty()) {
      std::cout << "error: " << wrong << "\n";
      status = 1;
    }
  }
  std::cout << "\n";
  return status;
}
