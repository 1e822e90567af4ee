# The front door. Each target first does what set-up is missing, and is quick when nothing is.
PREFIX ?= /usr/local
SOURCES = git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' '*.cu'

.PHONY: build demo test check wheel deb tarball fuzz python bench bench-quick docs page page-tests format tidy install clean

build:            ## the library and the command, in build/suffice
	@tools/bootstrap build
	@tools/build release

demo:             ## the main job on the data that ships with the project
	@tools/bootstrap build
	@tools/build release suffice_cli
	@tools/demo

test:             ## everything that is checked, with a summary
	@tools/bootstrap build python test docs
	@tools/test

check:            ## what is worth running before each commit, in minutes
	@tools/bootstrap build python test
	@tools/test --check

wheel:            ## wheels for any Linux (with Python 3.12 or later on the PATH one for all of these too) and the sources, in dist/
	@tools/bootstrap build python package
	@tools/package wheel later_wheel sdist

deb:              ## packages for Debian and Ubuntu, in dist/
	@tools/bootstrap build python package
	@tools/package deb

tarball:          ## the command alone, linked statically, in dist/
	@tools/bootstrap build python
	@tools/package tarball

fuzz:             ## every fuzzer for SECONDS
	@tools/bootstrap build test
	@tools/fuzz $(or $(SECONDS),60)

python:           ## the Python package, into .venv
	@tools/bootstrap build python
	@tools/python

bench: build python  ## ours and the rivals on every task
	@tools/bootstrap bench
	@.venv/bin/python bench/run.py

bench-quick: build python
	@tools/bootstrap bench
	@.venv/bin/python bench/run.py --quick

docs:             ## the documentation, into site/
	@tools/bootstrap python docs
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict --quiet
	@echo "the documentation is in site/index.html"

page:             ## the living page, into site/page/ and site/suffice.html
	@tools/bootstrap build python page
	@tools/page

page-tests:       ## the tests of rooms that need neither threads nor Parquet, as WebAssembly under Node
	@tools/bootstrap build python test page
	@tools/page_tests

format:           ## rewrite all sources in the project's format
	@tools/bootstrap test
	@$(SOURCES) | xargs -r clang-format-19 -i

tidy:             ## clang-tidy over all sources
	@tools/bootstrap build test
	@tools/tidy --all

install: build    ## headers, library, command, CMake package and pkg-config file under PREFIX
	@cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build
