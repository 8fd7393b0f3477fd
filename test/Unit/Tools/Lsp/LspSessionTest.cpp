//===- LspSessionTest.cpp - Between an editor and the server -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Lsp/LspSession.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <string>
#include <thread>
#include <unistd.h>

using namespace fsm;

static std::string openMessage(const std::string &text, const std::string &uri = "a") {
  return R"({"method":"textDocument/didOpen","params":{"textDocument":{"text":")" + text +
         R"(","uri":")" + uri + R"("}}})";
}

static std::string changeMessage(const std::string &text, const std::string &uri = "a") {
  return R"({"method":"textDocument/didChange","params":{"contentChanges":[{"text":")" + text +
         R"("}],"textDocument":{"uri":")" + uri + R"("}}})";
}

/// A pipe that holds an input.
class Pipe {
public:
  explicit Pipe(const std::string &input) {
    EXPECT_EQ(pipe(ends), 0);
    // Byte by byte: reads meet every place in a frame.
    writer = std::thread([this, input] {
      for (char c : input)
        EXPECT_EQ(write(ends[1], &c, 1), 1);
      close(ends[1]);
    });
  }
  ~Pipe() {
    writer.join();
    close(ends[0]);
  }
  int input() const { return ends[0]; }

private:
  int ends[2];
  std::thread writer;
};

static std::string framed(const std::vector<std::string> &messages) {
  std::string text;
  for (const std::string &message : messages)
    text += lspFrame(message);
  return text;
}

namespace {
/// What the server gets of an editor's messages, and what the editor gets of the session.
struct Exchanged {
  std::vector<std::string> toServer;
  std::string toEditor;
};
} // namespace

static Exchanged exchange(const std::vector<std::string> &messages) {
  Pipe pipe(framed(messages));
  Exchanged result;
  llvm::raw_string_ostream output(result.toEditor);
  LspSession session(pipe.input(), output);
  while (std::optional<std::string> message = session.next())
    result.toServer.push_back(*message);
  return result;
}

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != text.npos;
}

TEST(LspSession, SubstitutesInOpenedDocuments) {
  Exchanged got = exchange({openMessage("// param N = 12345\\n${N} x")});
  EXPECT_TRUE(contains(got.toServer.at(0), "\\n12345 x")) << got.toServer.at(0);
  EXPECT_EQ(got.toEditor, "");
}

TEST(LspSession, SubstitutesInChanges) {
  Exchanged got = exchange({changeMessage("// param N = 1\\n${N}")});
  EXPECT_TRUE(contains(got.toServer.at(0), "\\n1   ")) << got.toServer.at(0);
}

TEST(LspSession, ParametersWithoutADefaultHaveStandIns) {
  const char *text = "// param N\\n// param T\\n// param M = 3\\nblock<${N}x${T}> ptr<${T}> ${M}";
  Exchanged got = exchange({openMessage(text), changeMessage(text)});
  for (const std::string &message : got.toServer)
    EXPECT_TRUE(contains(message, "block<16  xf32 > ptr<f32 > 3   ")) << message;
  // Once is enough, and it is no diagnostic, for the server's own would replace it.
  std::string told = "looked at with N = 16, T = f32 (a)";
  size_t first = got.toEditor.find(told);
  ASSERT_NE(first, std::string::npos) << got.toEditor;
  EXPECT_EQ(got.toEditor.find(told, first + 1), std::string::npos);
  EXPECT_TRUE(contains(got.toEditor, "window/showMessage"));
  EXPECT_FALSE(contains(got.toEditor, "publishDiagnostics"));
  // Other parameters are told again.
  got = exchange({openMessage(text), changeMessage("// param N\\n${N}")});
  EXPECT_TRUE(contains(got.toEditor, "looked at with N = 16 (a)")) << got.toEditor;
}

TEST(LspSession, KeepsRefusedTextsFromTheServer) {
  for (const std::string &message :
       {openMessage("a\\n  array<index>"), changeMessage("a\\n  array<index>")}) {
    Exchanged got = exchange({message});
    EXPECT_FALSE(contains(got.toServer.at(0), "index")) << got.toServer.at(0);
    EXPECT_TRUE(contains(got.toServer.at(0), R"("text":"")")) << got.toServer.at(0);
    EXPECT_TRUE(contains(got.toEditor, R"("message":"expected an array of integers or floats)"));
    EXPECT_TRUE(contains(got.toEditor, R"("start":{"character":8,"line":1})")) << got.toEditor;
  }
}

TEST(LspSession, LeavesWhatItDoesNotKnow) {
  for (const char *message :
       {"[1, 2", "3", R"({"method":"exit"})", R"({"method":"textDocument/didOpen","params":[]})"})
    EXPECT_EQ(exchange({message}).toServer.at(0), message);
}

TEST(LspSession, DropsMessagesThatAreTooDeep) {
  std::string deep;
  for (int i = 0; i < 1000; ++i)
    deep += R"({"a":)";
  std::string text = R"({"a":")" + std::string(1000, '[') + R"(\"["})";
  EXPECT_EQ(exchange({deep, text}).toServer, std::vector<std::string>{text});
}

/// A server that gets all messages of an editor, and crashes over those with a `!`. What it
/// got, a line for each message.
static Exchanged serve(const std::vector<std::string> &messages) {
  Pipe pipe(framed(messages));
  Exchanged result;
  llvm::raw_string_ostream output(result.toEditor);
  LspSession session(pipe.input(), output);
  EXPECT_TRUE(session.run([&] {
    size_t length = 0;
    while (std::fscanf(stdin, "Content-Length: %zu\r\n\r\n", &length) == 1) {
      std::string message(length, '\0');
      ASSERT_EQ(std::fread(message.data(), 1, length, stdin), length);
      result.toServer.push_back(message);
      if (contains(message, "!"))
        std::abort();
    }
  }));
  return result;
}

TEST(LspSession, AnswersRequestsThatCrash) {
  Exchanged got = serve({openMessage("x"), R"({"id":7,"method":"!"})", R"({"id":8})"});
  EXPECT_TRUE(contains(got.toEditor, R"("id":7)")) << got.toEditor;
  EXPECT_TRUE(contains(got.toEditor, "the compiler crashed; please report this source"));
  // The new server has the document before the next request.
  ASSERT_EQ(got.toServer.size(), 4u);
  EXPECT_TRUE(contains(got.toServer[2], R"("text":"x","uri":"a")")) << got.toServer[2];
  EXPECT_EQ(got.toServer[3], R"({"id":8})");
}

TEST(LspSession, EmptiesDocumentsThatCrash) {
  for (const std::string &message : {openMessage("!", "b"), changeMessage("!", "b")}) {
    Exchanged got = serve({openMessage("x", "a"), openMessage("y", "b"), message, R"({"id":8})"});
    EXPECT_TRUE(contains(got.toEditor, "the compiler crashed; please report this source"));
    EXPECT_TRUE(contains(got.toEditor, R"("uri":"b")")) << got.toEditor;
    ASSERT_EQ(got.toServer.size(), 6u);
    EXPECT_TRUE(contains(got.toServer[3], R"("text":"x","uri":"a")")) << got.toServer[3];
    EXPECT_TRUE(contains(got.toServer[4], R"("text":"","uri":"b")")) << got.toServer[4];
    EXPECT_EQ(got.toServer[5], R"({"id":8})");
  }
}

TEST(LspSession, RepeatsItsOwnDiagnostics) {
  Exchanged got = serve({openMessage("array<index>", "a"), R"({"method":"!"})", R"({"id":8})"});
  size_t first = got.toEditor.find("integers or floats");
  ASSERT_NE(first, got.toEditor.npos) << got.toEditor;
  EXPECT_NE(got.toEditor.find("integers or floats", first + 1), got.toEditor.npos);
}

TEST(LspSession, SurvivesManyCrashes) {
  std::vector<std::string> messages;
  for (int i = 0; i < 20; ++i)
    messages.push_back(R"({"id":)" + std::to_string(i) + R"(,"method":"!"})");
  Exchanged got = serve(messages);
  EXPECT_EQ(got.toServer.size(), messages.size());
  EXPECT_TRUE(contains(got.toEditor, R"("id":19)"));
}

/// The frames of an input.
static std::vector<std::string> frames(const std::string &input) {
  Pipe pipe(input);
  LspFrames frames(pipe.input());
  std::vector<std::string> found;
  while (std::optional<std::string> frame = frames.next())
    found.push_back(*frame);
  return found;
}

TEST(LspFrames, AreRead) {
  EXPECT_EQ(frames("Content-Length: 2\r\n\r\n{}content-length:1\r\nX: y\r\n\r\n7"),
            (std::vector<std::string>{"{}", "7"}));
}

TEST(LspFrames, EndWhereTheyMakeNoSense) {
  EXPECT_TRUE(frames("Content-Length: 99999999999999999999\r\n\r\n{}").empty());
  EXPECT_TRUE(frames("Content-Length: 5\r\n\r\n{}").empty());
}
