# cmake -D sources=viewer -D work=build/viewer -D code=build/page_data.cpp -P build_page.cmake
# Bundles the page and writes the source file that embeds it. Never fails: a page that cannot be made is an empty one.

# Writes only what changed, so that an unchanged page compiles nothing.
function(write_code assembly hash)
  set(text [[// Made by cmake/build_page.cmake from the page @hash@.
#include "viewer/bundle.hpp"
@assembly@
namespace linkwright::viewer {

std::string_view page_bundle() { return @value@; }

}  // namespace linkwright::viewer
]])
  set(value "{}")
  if(assembly)
    set(value "{linkwright_page_begin, static_cast<std::size_t>(linkwright_page_end - linkwright_page_begin)}")
  endif()
  string(CONFIGURE "${text}" text @ONLY)
  set(old "")
  if(EXISTS ${code})
    file(READ ${code} old)
  endif()
  if(NOT text STREQUAL old)
    file(WRITE ${code} "${text}")
  endif()
endfunction()

function(write_empty_page reason)
  message(NOTICE "warning: no page: ${reason}. `linkwright view` will say so; everything else works.")
  file(REMOVE ${work}/page.html)
  write_code("" "that was not made")
endfunction()

# Everything but what node makes there, so that what npm installed survives.
function(copy_sources)
  file(MAKE_DIRECTORY ${work})
  file(GLOB entries RELATIVE ${sources} ${sources}/*)
  list(REMOVE_ITEM entries node_modules dist)
  foreach(entry IN LISTS entries)
    file(REMOVE_RECURSE ${work}/${entry})
    file(COPY ${sources}/${entry} DESTINATION ${work})
  endforeach()
endfunction()

function(run result)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${work} RESULT_VARIABLE failed
                  OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed)
    message("${said}")
  endif()
  set(${result} "${failed}" PARENT_SCOPE)
endfunction()

# Installs what package-lock.json lists, when it changed since the last time that this worked.
function(install_packages npm result)
  file(SHA256 ${work}/package-lock.json wanted)
  set(installed "")
  if(EXISTS ${work}/node_modules/.linkwright)
    file(READ ${work}/node_modules/.linkwright installed)
  endif()
  set(failed 0)
  if(NOT installed STREQUAL wanted)
    set(ENV{PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD} 1)
    run(failed ${npm} ci --no-audit --no-fund --fetch-retries=1 --fetch-retry-mintimeout=2000)
    if(NOT failed)
      file(WRITE ${work}/node_modules/.linkwright ${wanted})
    endif()
  endif()
  set(${result} "${failed}" PARENT_SCOPE)
endfunction()

function(embed page)
  file(SHA256 ${page} hash)
  set(assembly "
extern \"C\" {
extern const char linkwright_page_begin[];
extern const char linkwright_page_end[];
}
asm(R\"(
.pushsection .rodata
.hidden linkwright_page_begin
.hidden linkwright_page_end
.global linkwright_page_begin
.global linkwright_page_end
linkwright_page_begin:
.incbin \"${page}\"
linkwright_page_end:
.popsection
)\");
")
  write_code("${assembly}" ${hash})
endfunction()

find_program(node NAMES node nodejs)
find_program(npm NAMES npm)
if(NOT node OR NOT npm)
  write_empty_page("node or npm was not found (Debian: packages nodejs and npm)")
  return()
endif()
if(NOT EXISTS ${sources}/build.mjs)
  write_empty_page("there is no viewer/build.mjs")
  return()
endif()
copy_sources()
install_packages(${npm} failed)
if(failed)
  write_empty_page("`npm ci` failed (offline?)")
  return()
endif()
run(failed ${node} build.mjs ${work}/page.html)
if(failed OR NOT EXISTS ${work}/page.html)
  write_empty_page("`node build.mjs` failed")
  return()
endif()
# Not searched as a whole: the page is a megabyte of brackets and semicolons.
file(STRINGS ${work}/page.html place REGEX "<script type=\"application/json\" id=\"linkwright-data\">" LIMIT_COUNT 1)
if(NOT place)
  write_empty_page("the bundle has no place for data")
  return()
endif()
embed(${work}/page.html)
