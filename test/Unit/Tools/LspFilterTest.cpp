//===- LspFilterTest.cpp - Messages to the language server ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/LspFilter.h"

#include "gtest/gtest.h"

#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

using namespace fsm;

static std::string openMessage(const std::string &text) {
  return R"({"method":"textDocument/didOpen","params":{"textDocument":{"text":")" + text +
         R"("}}})";
}

TEST(LspFilter, SubstitutesInOpenedDocuments) {
  std::string message = prepareLspMessage(openMessage("// param N = 12345\\n${N} x"));
  EXPECT_NE(message.find("\\n12345 x"), message.npos) << message;
}

TEST(LspFilter, SubstitutesInWholeChanges) {
  std::string message =
      prepareLspMessage(R"({"method":"textDocument/didChange","params":{"contentChanges":[)"
                        R"({"text":"// param N = 1\n${N}"},{"range":{},"text":"${N}"}]}})");
  EXPECT_NE(message.find("\\n1   "), message.npos) << message;
  EXPECT_NE(message.find("\"${N}\""), message.npos) << message;
}

TEST(LspFilter, LeavesDocumentsWithErrors) {
  std::string message = openMessage("${UNKNOWN}");
  EXPECT_NE(prepareLspMessage(message).find("${UNKNOWN}"), message.npos);
}

TEST(LspFilter, LeavesWhatItDoesNotKnow) {
  for (const char *message : {"", "[1, 2", "3", "{\"method\": \"exit\"}",
                              R"({"method":"textDocument/didOpen","params":[]})"})
    EXPECT_EQ(prepareLspMessage(message), message);
}

/// What comes out of the filter for `input`.
static std::string filtered(const std::string &input) {
  int from[2], to[2];
  if (pipe(from) != 0 || pipe(to) != 0)
    return "no pipe";
  std::thread filter([&] {
    filterLspStream(from[0], to[1]);
    close(to[1]);
  });
  // Byte by byte: reads meet every place in a frame.
  for (char c : input)
    EXPECT_EQ(write(from[1], &c, 1), 1);
  close(from[1]);
  std::string output;
  char chunk[256];
  for (ssize_t count; (count = read(to[0], chunk, sizeof(chunk))) > 0;)
    output.append(chunk, static_cast<size_t>(count));
  filter.join();
  close(from[0]);
  close(to[0]);
  return output;
}

TEST(LspFilter, KeepsFrames) {
  EXPECT_EQ(filtered("Content-Length: 2\r\n\r\n{}content-length:1\r\nX: y\r\n\r\n7"),
            "Content-Length: 2\r\n\r\n{}Content-Length: 1\r\n\r\n7");
}

TEST(LspFilter, EndsAtSenselessFrames) {
  EXPECT_EQ(filtered("Content-Length: 99999999999999999999\r\n\r\n{}"), "");
  EXPECT_EQ(filtered("Content-Length: 5\r\n\r\n{}"), "");
  EXPECT_EQ(filtered(std::string(10000, 'x')), "");
}
