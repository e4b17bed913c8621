//===- Error.h - What went wrong in the world -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Failures of the world (files, memory, other processes) and of data that has
// no text position are values of type `Error`, returned in `Expected<T>`.
// Context is added on the way up: the innermost message says what was found,
// each caller says what it was doing, and `str()` prints them outermost first:
//
//   reading `x.safetensors`: header of 12 bytes ends behind the file
//
// Mistakes in scripts, layouts and catalogs are `Diagnostic`s instead.
//===----------------------------------------------------------------------===//
#ifndef AOA_SUPPORT_ERROR_H
#define AOA_SUPPORT_ERROR_H

#include <expected>
#include <string>
#include <utility>
#include <vector>

namespace aoa {

enum class ErrorKind {
  Io,          ///< The operating system refused: open, read, write, rename.
  Format,      ///< Bytes of a file are not what its format says.
  Limit,       ///< A size is beyond what the tool or the format takes.
  Exists,      ///< Something stands where the result should go.
  Busy,        ///< Another process holds the lock of the output.
  Mismatch,    ///< Two things that must agree do not (stale plan, wrong bytes).
  Unsupported, ///< Known, but not supported yet.
  Interrupted, ///< The user stopped the run.
};

class [[nodiscard]] Error {
public:
  Error(ErrorKind kind, std::string message)
      : errorKind(kind), message(std::move(message)) {}

  ErrorKind kind() const { return errorKind; }

  /// Adds what the caller was doing, as "reading `x`".
  Error withContext(std::string doing) && {
    context.push_back(std::move(doing));
    return std::move(*this);
  }

  /// Returns the contexts, outermost first, and the message, joined by ": ".
  std::string str() const;

private:
  ErrorKind errorKind;
  std::string message;
  std::vector<std::string> context; ///< Innermost first.
};

template <typename T> using Expected = std::expected<T, Error>;

/// Makes the failure branch of an `Expected`.
inline std::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return std::unexpected(Error(kind, std::move(message)));
}

/// Passes the error of `failed` on, with what the caller was doing.
template <typename T>
std::unexpected<Error> failWith(Expected<T> &&failed, std::string doing) {
  return std::unexpected(
      std::move(failed.error()).withContext(std::move(doing)));
}

/// Passes the error of `failed` on unchanged.
template <typename T> std::unexpected<Error> failWith(Expected<T> &&failed) {
  return std::unexpected(std::move(failed.error()));
}

} // namespace aoa

#endif // AOA_SUPPORT_ERROR_H
