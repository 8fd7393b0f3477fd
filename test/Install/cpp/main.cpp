// Builds a kernel and launches it, with what is installed of FSM and nothing else.
#include <fsm-c/fsm.h>
#include <fsm/Builder/KernelBuilder.h>

#include <cstdio>
#include <string>

int main() {
  fsm::KernelBuilder k("squares");
  fsm::Value out = k.pointer(fsm::ScalarType::F32, "out"), places = k.range(100);
  fsm::Value x = convert(places, fsm::ScalarType::F32);
  k.store(out, places, x * x);
  fsm::Result<std::string> text = k.text();
  if (!text) {
    std::fprintf(stderr, "%s\n", text.error().message.c_str());
    return 1;
  }
  float numbers[100] = {};
  FsmEngine *engine = nullptr;
  FsmKernel *kernel = nullptr;
  FsmError *error = nullptr;
  FsmSource source = {text->data(), text->size(), "squares", 7, nullptr, 0};
  FsmArgument argument = {
      FSM_HOST_BUFFER, 0, reinterpret_cast<uintptr_t>(numbers), sizeof(numbers), 0, 0};
  if (fsmEngineCreate("cpu", 3, &engine, &error) ||
      fsmKernelLoad(engine, &source, nullptr, 0, &kernel, &error) ||
      fsmLaunch(kernel, 1, 1, 1, &argument, 1, nullptr, &error)) {
    std::fprintf(stderr, "%s\n", fsmErrorText(error, nullptr));
    return 1;
  }
  fsmKernelDestroy(kernel);
  fsmEngineDestroy(engine);
  std::printf("the square of 99 is %g\n", static_cast<double>(numbers[99]));
  return numbers[99] == 9801 ? 0 : 1;
}
