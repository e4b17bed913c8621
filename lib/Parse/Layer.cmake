# Lexer and parser made from grammar/*.g4. Their code keeps to its own target: it does not compile without warnings.
set(grammar_dir "${CMAKE_CURRENT_BINARY_DIR}/grammar")
set(grammars "${CMAKE_SOURCE_DIR}/grammar/AoaLexer.g4" "${CMAKE_SOURCE_DIR}/grammar/AoaParser.g4")
set(grammar_sources "${grammar_dir}/AoaLexer.cpp" "${grammar_dir}/AoaParser.cpp")
add_custom_command(
  OUTPUT ${grammar_sources} "${grammar_dir}/AoaLexer.h" "${grammar_dir}/AoaParser.h"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${grammar_dir}"
  COMMAND "${ANTLR4_TOOL}" -Dlanguage=Cpp -no-listener -no-visitor -Werror -Xexact-output-dir
          -package aoa::grammar -o "${grammar_dir}" AoaLexer.g4 AoaParser.g4
  WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}/grammar"
  DEPENDS ${grammars}
  COMMENT "Making the lexer and the parser of scripts"
  VERBATIM)
add_library(aoaGrammar STATIC ${grammar_sources})
target_compile_options(aoaGrammar PRIVATE -w)
target_link_libraries(aoaGrammar PUBLIC aoa_antlr)
target_include_directories(aoaGrammar SYSTEM INTERFACE "${grammar_dir}")
target_link_libraries(aoaParse PRIVATE aoaGrammar)
# The runtime's headers use what C++17 and later deprecate.
target_compile_options(aoaParse PRIVATE -Wno-deprecated -Wno-deprecated-declarations)
