# aoa_layer(NAME [MAY_USE layer...] [USES external...])
#
# Builds lib/NAME with all its .cpp files as the static library aoaNAME and records what it may include:
# MAY_USE lists the layers that it includes, USES the external targets. utils/check_layering.py reads the same lines
# and fails on an include that they do not allow and on a layer that stands below its user, so this is the include
# policy of the project. What listed layers use is linked too, but not to be included without being listed.
function(aoa_layer name)
  cmake_parse_arguments(ARG "" "" "MAY_USE;USES" ${ARGN})
  set(dir "${CMAKE_CURRENT_SOURCE_DIR}/${name}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${dir}/*.cpp")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${dir}/*.h" "${CMAKE_SOURCE_DIR}/include/aoa/${name}/*.h")
  set(links ${ARG_USES})
  foreach(layer ${ARG_MAY_USE})
    list(APPEND links aoa${layer})
  endforeach()
  if(sources)
    add_library(aoa${name} STATIC ${sources} ${headers})
    target_link_libraries(aoa${name} PUBLIC ${links})
    target_include_directories(aoa${name} PRIVATE "${dir}")
  else()
    add_library(aoa${name} INTERFACE)
    target_link_libraries(aoa${name} INTERFACE ${links})
  endif()
  if(EXISTS "${dir}/Layer.cmake")
    include("${dir}/Layer.cmake") # generated sources of this layer
  endif()
endfunction()
