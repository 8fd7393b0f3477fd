//===- SourceText.h - Text before it is parsed -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_SOURCE_SOURCETEXT_H
#define FSM_SOURCE_SOURCETEXT_H

#include "fsm/Support/Result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// The bounds every source is held to before a parser sees it. MLIR's parser
/// recurses once per nesting level and its bytecode reader trusts its input.
inline constexpr size_t kMaxSourceBytes = size_t(16) << 20;
inline constexpr unsigned kMaxNesting = 256;
/// What the value of a parameter may hold.
inline constexpr size_t kMaxParameterBytes = 256;

/// Gives the text that is parsed. Each `${NAME}` outside comments becomes the
/// value of the parameter NAME, which the source declares with its default in a line
/// `// param NAME = VALUE` (or without one: `// param NAME`) and `parameters`
/// overrides. A value shorter than its placeholder is padded with blanks, so
/// that lines always and columns mostly stay those of the file. So does a line that ends
/// with `\r\n`, of which the `\r` becomes a blank; one elsewhere is refused.
///
/// Bytecode, oversized and deeply nested sources, and the types, attributes and numbers
/// that MLIR's parser cannot bear are refused, in the text as it is with its values and in
/// its tokens: neither a value nor a comment hides anything.
/// Errors are located in `fileName`.
///
/// Layouts::Accepted lets encodings through, for text that passes have written; it must
/// not name vector types then.
enum class Layouts { Refused, Accepted };
Result<std::string> prepareSource(std::string_view text, const std::string &fileName,
                                  const std::map<std::string, std::string> &parameters,
                                  Layouts layouts = Layouts::Refused);

/// The parameters of a file that have a value, by default or as given.
Result<std::map<std::string, std::string>>
parameterValues(std::string_view text, const std::string &fileName,
                const std::map<std::string, std::string> &parameters);

/// By parameter, the values among which whoever runs a kernel may choose.
using ParameterDomains = std::map<std::string, std::vector<std::string>>;

/// The domains that a file gives its parameters, as in `// param BM = 128 in 64, 128`.
Result<ParameterDomains> parameterDomains(std::string_view text, const std::string &fileName);

/// An error, or a list of them, with a note for each parameter whose value stands in a line of
/// `text` that it names: what is wrong there may be the value.
std::string nameParameters(std::string error, std::string_view text, const std::string &fileName,
                           const std::map<std::string, std::string> &parameters);

/// Values for the parameters without a default, so that an editor can look at the rest: a number,
/// or a type of elements where one is wanted.
std::map<std::string, std::string> standInsFor(std::string_view text);

} // namespace fsm

#endif // FSM_SOURCE_SOURCETEXT_H
