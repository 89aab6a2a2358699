#!/usr/bin/env bash
# Builds the library as modules for browsers, packed: src/web/build.sh [FILE], where FILE is target/web/ludwright.wasm.gz without an argument. That is the
# module of pages that play; the one that answers the questions of the studio lies beside it, as target/web/ludwright-ask.wasm.gz.
#
# It needs the standard library for wasm32-unknown-unknown: that of the toolchain (rustup target add wasm32-unknown-unknown), or the packages of
# Debian with which it builds one. With CI set, it installs what is missing, where it can. What it builds is kept in target/web, apart from all other
# builds. Where wasm-opt (Binaryen) is found, the module gets smaller and faster. If the target cannot be had, it says so and ends with code 69.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=wasm32-unknown-unknown
folder=${LUDWRIGHT_WEB_TARGET:-$PWD/target/web}
# `web` is small and fast; `web-test` is built in a fraction of the time, for tests.
profile=${LUDWRIGHT_WEB_PROFILE:-web}
output=${1:-$folder/ludwright.wasm.gz}
packages=(rustc-web cargo-web rust-web-src lld-19 zopfli)

# Cargo passes settings of the build around to build scripts.
unset CARGO_ENCODED_RUSTFLAGS RUSTFLAGS CARGO_BUILD_TARGET CARGO_TARGET_DIR RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER

own() { [ -d "$(rustc --print target-libdir --target $target 2>/dev/null)" ]; }
debian() { [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && [ -e "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library/Cargo.lock" ] && linker; }
# rustc-web before 1.91 cannot build the library; lld has its version in its name.
linker() { wasm_ld=$(compgen -c wasm-ld | sort -V | tail -1) && [ -n "$wasm_ld" ]; }

if ! own && ! debian && [ -n "${CI:-}" ]; then
  rustup target add $target >/dev/null 2>&1 || {
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo -n)
    { "${as_root[@]}" apt-get update && "${as_root[@]}" apt-get install -y --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1 || true
  }
fi

options=(--bin ludwright-web --bin ludwright-ask --profile "$profile" --no-default-features --features module --locked --target $target --target-dir "$folder")
# The paths in messages about errors of the program are those of the crates, not of this machine.
export RUSTFLAGS="-C link-arg=-zstack-size=4194304 --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src= --remap-path-prefix=$PWD="
if own; then
  cargo build "${options[@]}"
elif debian; then
  # The name of the compiler is not in the path of all; Debian's is not the one that rustup would run.
  RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$wasm_ld \
    /usr/bin/cargo build -Z build-std=std,panic_abort "${options[@]}"
else
  echo "The module for browsers needs the target $target: run \`rustup target add $target\`, or on Debian \`apt-get install ${packages[*]}\`." >&2
  exit 69
fi

# Makes one module smaller and packs it: pack NAME FILE.
pack() {
  local module=$folder/$target/$profile/$1.wasm
  if command -v wasm-opt >/dev/null; then
    # What the module uses; wasm-opt would otherwise write forms that browsers do not know yet.
    local features=(--mvp-features) feature
    for feature in bulk-memory bulk-memory-opt sign-ext mutable-globals nontrapping-float-to-int multivalue reference-types call-indirect-overlong; do
      features+=("--enable-$feature")
    done
    wasm-opt -O3 "${features[@]}" --strip-debug --strip-producers -o "$module.small" "$module"
    module=$module.small
  fi
  # Zopfli packs a twentieth smaller than gzip, in some ten seconds.
  if [ "$profile" = web ] && command -v zopfli >/dev/null; then
    zopfli -c --i5 "$module" >"$2.part"
  else
    gzip -9 -n -c "$module" >"$2.part"
  fi
  mv "$2.part" "$2"
}
# A name has its ends after its first dot.
name=$(basename "$output")
pack ludwright-ask "$(dirname "$output")/${name%%.*}-ask${name#"${name%%.*}"}"
pack ludwright-web "$output"
