# aoa_grammar(TARGET NAME WHAT)
#
# Builds the lexer and the parser that ANTLR makes from grammar/NAMELexer.g4 and NAMEParser.g4 as the static library
# TARGET. Their code keeps to its own target: it does not compile without warnings.
function(aoa_grammar target name what)
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/grammar/${name}")
  set(sources "${dir}/${name}Lexer.cpp" "${dir}/${name}Parser.cpp")
  add_custom_command(
    OUTPUT ${sources} "${dir}/${name}Lexer.h" "${dir}/${name}Parser.h"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${dir}"
    COMMAND "${ANTLR4_TOOL}" -Dlanguage=Cpp -no-listener -no-visitor -Werror -Xexact-output-dir
            -package aoa::grammar -o "${dir}" ${name}Lexer.g4 ${name}Parser.g4
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}/grammar"
    DEPENDS "${CMAKE_SOURCE_DIR}/grammar/${name}Lexer.g4" "${CMAKE_SOURCE_DIR}/grammar/${name}Parser.g4"
    COMMENT "Making the lexer and the parser of ${what}"
    VERBATIM)
  add_library(${target} STATIC ${sources})
  target_compile_options(${target} PRIVATE -w)
  target_link_libraries(${target} PUBLIC aoa_antlr)
  target_include_directories(${target} SYSTEM INTERFACE "${dir}")
endfunction()
