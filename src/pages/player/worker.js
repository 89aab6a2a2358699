// Holds an instance of the module and passes requests to it. An instance that has trapped is
// unusable: the worker reports it, and the page makes another one.

let exports = null;
let said = "";

const imports = {
  page: {
    now: () => performance.now(),
    panicked: (pointer, length) => {
      said = textAt(pointer >>> 0, length >>> 0);
    },
    told: (pointer, length) => postMessage({ told: textAt(pointer >>> 0, length >>> 0) }),
  },
};

function textAt(pointer, length) {
  return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, pointer, length));
}

function call(request) {
  const bytes = new TextEncoder().encode(request);
  const pointer = exports.alloc(bytes.length) >>> 0;
  new Uint8Array(exports.memory.buffer, pointer, bytes.length).set(bytes);
  const answer = exports.call(pointer, bytes.length) >>> 0;
  const length = new DataView(exports.memory.buffer).getUint32(answer, true);
  const text = textAt(answer + 4, length);
  exports.free(answer, length + 4);
  return text;
}

onmessage = ({ data }) => {
  try {
    if (data.module) exports = new WebAssembly.Instance(data.module, imports).exports;
    else postMessage({ id: data.id, answer: call(data.request) });
  } catch (error) {
    postMessage({ id: data.id, trap: said || String(error) });
  }
};
