# `pip install .` into a fresh virtual environment: what a user gets is tried as a user would. The extension is the one
# that is built already; `make wheel` compiles it by itself. Without the network there is nothing that pip could install.
function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${work} RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "failed (${failed}): ${command}\n${said}")
  endif()
endfunction()

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
run(${python} -m venv ${work}/fresh)
run(${work}/fresh/bin/pip install --disable-pip-version-check ${root}
    -C cmake.source-dir=python -C cmake.define.LINKWRIGHT_PYTHON_BUILT=${linkwright_build}/python
    -C build-dir=${work}/build)
# Nothing of the build folder is in the way: this is what was installed.
run(${CMAKE_COMMAND} -E env --unset=PYTHONPATH ${work}/fresh/bin/python ${root}/python/tests/first_example.py ${root}/models)
run(${CMAKE_COMMAND} -E env --unset=PYTHONPATH ${work}/fresh/bin/python -c
    "import linkwright, pathlib; f = pathlib.Path(linkwright.__file__).parent; assert (f / '_core.pyi').exists() and (f / 'py.typed').exists() and 'fresh' in str(f), f")
