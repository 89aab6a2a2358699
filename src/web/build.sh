#!/usr/bin/env bash
# Builds the library as packed modules for browsers: src/web/build.sh [FILE]. FILE is the module of
# pages that play, by default target/web/ludwright.wasm.gz. The module that answers the studio's
# questions is written beside FILE, by default as target/web/ludwright-ask.wasm.gz.
#
# The build needs the standard library for wasm32-unknown-unknown: installed in the toolchain
# (rustup target add wasm32-unknown-unknown), or built here with Debian's packages. With CI set, the
# script tries to install a missing target. Build files are in target/web, apart from all other
# builds. wasm-opt (Binaryen), if found, makes the modules smaller and faster. Without the target,
# the script prints how to install the target and exits with code 69.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=wasm32-unknown-unknown
folder=${LUDWRIGHT_WEB_TARGET:-$PWD/target/web}
# `web` is small and fast; `web-test` is built in a fraction of the time, for tests.
profile=${LUDWRIGHT_WEB_PROFILE:-web}
output=${1:-$folder/ludwright.wasm.gz}
packages=(rustc-web cargo-web rust-web-src lld-19 zopfli)

# Cargo passes settings of an outer build to build scripts; they do not apply here.
unset CARGO_ENCODED_RUSTFLAGS RUSTFLAGS CARGO_BUILD_TARGET CARGO_TARGET_DIR RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER

own() { [ -d "$(rustc --print target-libdir --target $target 2>/dev/null)" ]; }
debian() { [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && [ -e "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library/Cargo.lock" ] && linker; }
# rustc-web before 1.91 cannot build the library; the name of wasm-ld may end with a version.
linker() { wasm_ld=$(compgen -c wasm-ld | sort -V | tail -1) && [ -n "$wasm_ld" ]; }

if ! own && ! debian && [ -n "${CI:-}" ]; then
  rustup target add $target >/dev/null 2>&1 || {
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo -n)
    { "${as_root[@]}" apt-get update && "${as_root[@]}" apt-get install -y --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1 || true
  }
fi

options=(--bin ludwright-web --bin ludwright-ask --profile "$profile" --no-default-features --features module --locked --target $target --target-dir "$folder")
# Paths in panic messages begin at the crates, without directories of this machine.
export RUSTFLAGS="-C link-arg=-zstack-size=4194304 --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src= --remap-path-prefix=$PWD="
if own; then
  cargo build "${options[@]}"
elif debian; then
  # RUSTC is set because `rustc` may be missing from PATH or belong to rustup.
  RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$wasm_ld \
    /usr/bin/cargo build -Z build-std=std,panic_abort "${options[@]}"
else
  echo "The module for browsers needs the target $target: run \`rustup target add $target\`, or on Debian \`apt-get install ${packages[*]}\`." >&2
  exit 69
fi

# Optimizes and packs one module: pack NAME FILE.
pack() {
  local module=$folder/$target/$profile/$1.wasm
  if command -v wasm-opt >/dev/null; then
    # The features that the module uses; with more, wasm-opt may emit code that few browsers run.
    local features=(--mvp-features) feature
    for feature in bulk-memory bulk-memory-opt sign-ext mutable-globals nontrapping-float-to-int multivalue reference-types call-indirect-overlong; do
      features+=("--enable-$feature")
    done
    wasm-opt -O3 "${features[@]}" --strip-debug --strip-producers -o "$module.small" "$module"
    module=$module.small
  fi
  # The output of Zopfli is 5 % smaller than gzip's; it takes about ten seconds.
  if [ "$profile" = web ] && command -v zopfli >/dev/null; then
    zopfli -c --i5 "$module" >"$2.part"
  else
    gzip -9 -n -c "$module" >"$2.part"
  fi
  mv "$2.part" "$2"
}
# `-ask` is inserted before the first dot of the file's name.
name=$(basename "$output")
pack ludwright-ask "$(dirname "$output")/${name%%.*}-ask${name#"${name%%.*}"}"
pack ludwright-web "$output"
