# The two commands a newcomer needs are `make run` and `make test`; see `make help`.
BUILD := build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PYTHON ?= ON
PYTHON_ENVIRONMENT := $(CURDIR)/$(BUILD)/python_environment
RUN_COMMAND ?= $(BUILD)/bin/linkwright simulate models/swinging_load.yaml --time 20 --step 0.0005 --every 0.02 \
  --record kinetic potential frame:load --out $(BUILD)/swinging_load.csv --html $(BUILD)/swinging_load.html

.DEFAULT_GOAL := help
.PHONY: python-ON python-OFF peers-ON peers-OFF wheel bench-python help run test build bench bench-docs docs figures format lint sanitize clean dependencies configure

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' $(MAKEFILE_LIST) | expand -t 16

run: configure ## Install what is missing, build, simulate a load that swings under a platform on springs, and write a page of it
	@cmake --build $(BUILD) --parallel $(JOBS) --target linkwright_app
	@$(RUN_COMMAND)

test: dependencies-test build peers-$(PYTHON) ## Install what is missing, build, run all tests
	@ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS) --no-tests=error

build: configure python-$(PYTHON) ## Build the library, the program (build/bin/linkwright), the Python package and the tests
	@cmake --build $(BUILD) --parallel $(JOBS)

wheel: configure python-ON ## Build a wheel of the Python package (build/wheels) that installs without a compiler, and try it
	@cmake --build $(BUILD) --parallel $(JOBS) --target linkwright_python linkwright_python_stub
	@scripts/wheel.sh $(BUILD) $(PYTHON_ENVIRONMENT)

bench-python: configure python-ON ## What a call from Python costs beside the same call in C++
	@cmake --build $(BUILD) --parallel $(JOBS) --target linkwright_app linkwright_python_stub
	@PYTHONPATH=$(BUILD)/python $(PYTHON_ENVIRONMENT)/bin/python benchmarks/python_overhead.py $(BUILD)/bin/linkwright \
	  models/arm7.urdf models/puma560.yaml models/four_bar.yaml models/stewart.yaml

bench: dependencies-bench configure ## Compare with the peers; writes build/bench.json and build/bench/report.md
	@scripts/bench.sh $(BUILD) $(JOBS)

bench-docs: bench ## Compare with the peers and renew the figures in docs/figures
	@mkdir -p docs/figures
	@cp $(BUILD)/bench/*.svg docs/figures/

docs: configure python-ON ## Build the site: all pages, references, mechanisms to turn by hand; writes build/site/html
	@cmake --build $(BUILD) --parallel $(JOBS) --target linkwright_app linkwright_python print_vocabulary
	@$(PYTHON_ENVIRONMENT)/bin/python site/build.py $(BUILD)

figures: configure python-ON ## Draw the figures in docs/figures that the library draws itself, and the pictures of the gallery
	@cmake --build $(BUILD) --parallel $(JOBS) --target draw_figures linkwright_python
	@$(BUILD)/tests/draw_figures .
	@PYTHONPATH=$(BUILD)/python PYTHONDONTWRITEBYTECODE=1 $(PYTHON_ENVIRONMENT)/bin/python examples/pictures >/dev/null

format: dependencies-lint ## Format all C++ sources in place
	@scripts/sources.sh | xargs clang-format -i

lint: dependencies-lint dependencies ## Check formatting and run clang-tidy
	@scripts/lint.sh $(BUILD)/lint $(JOBS)

# Clang instruments in a quarter of g++'s time, and g++ checks the release build anyway.
# What runs in threads lives in batch and simulate; the others would only wait for the thread sanitizer.
sanitize: dependencies-test dependencies-sanitize dependencies ## Run all tests under the address and undefined-behaviour sanitizers, threads under theirs
	@cmake --preset asan
	@cmake --build --preset asan --parallel $(JOBS)
	@cmake --preset tsan
	@cmake --build --preset tsan --parallel $(JOBS) --target test_batch test_simulate
	@status=0; ctest --preset asan --parallel $(JOBS) --no-tests=error || status=$$?; \
	 ctest --preset tsan --parallel $(JOBS) --no-tests=error -L '^(batch|simulate)$$' || status=$$?; exit $$status

clean: ## Remove everything built
	rm -rf build build-debug build-asan build-tsan

dependencies:
	@scripts/install_dependencies.sh build

dependencies-%:
	@scripts/install_dependencies.sh $*

# The package is built for the Python of an environment of its own; PYTHON=OFF leaves it out.
python-ON: dependencies-python configure
	@scripts/python_environment.sh $(PYTHON_ENVIRONMENT)
	@grep -qs '^LINKWRIGHT_BUILD_PYTHON:BOOL=ON' $(BUILD)/CMakeCache.txt || cmake -S . -B $(BUILD) \
	  -D LINKWRIGHT_BUILD_PYTHON=ON -D Python_EXECUTABLE=$(PYTHON_ENVIRONMENT)/bin/python

# Pinocchio, MuJoCo, CasADi and JAX for the tests that compare with them; without them they are skipped.
peers-ON: python-ON
	@scripts/python_environment.sh $(PYTHON_ENVIRONMENT) peers

peers-OFF:

python-OFF: configure
	@cmake -S . -B $(BUILD) -D LINKWRIGHT_BUILD_PYTHON=OFF >$(BUILD)/configure.log || { cat $(BUILD)/configure.log; exit 1; }

# CMake itself notices changed files; a second configure is needed only when it never finished.
configure: dependencies
	@test -f $(BUILD)/build.ninja || cmake --preset release
