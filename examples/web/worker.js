// Answers messages {id, kind, request} by {id, answer} or {id, error: {message, from?, to?}}.
//
// The module of WebAssembly is compiled once. Lists of numbers (Float64Array) go beside the JSON, in which they are
// {"$array": [first, count]}; results are transferred, not copied.

const files = (name) => new URL(name, import.meta.url);

/** Compiled module, and the address of its bindings, which can be loaded again for a fresh instance. */
const parts = Promise.all([
  compile(files("hpfracc_web_bg.wasm")),
  fetch(files("hpfracc_web.js")).then(text).then(
    (source) => URL.createObjectURL(new Blob([source], { type: "text/javascript" })),
  ),
]);

let explorer = parts.then(start);

async function compile(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  // Servers that do not know the type of the file cannot stream it.
  const streams = response.headers.get("Content-Type")?.startsWith("application/wasm");
  return streams
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

function text(response) {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return response.text();
}

let instances = 0;

/** A fresh instance: a module that has trapped must not be called again. */
async function start([module, bindings]) {
  const { initSync, Explorer } = await import(`${bindings}#${instances++}`);
  initSync({ module });
  return new Explorer();
}

/** Name of the GPU, which is opened when it is first needed; null where there is none. */
let gpu;

async function opened(explorer) {
  const open = async () => (navigator.gpu ? (await explorer.openGpu()) ?? null : null);
  gpu ??= open();
  return gpu;
}

/** JSON of a request, and its numbers one after the other. */
function encode(request) {
  const lists = [];
  let first = 0;
  const json = JSON.stringify(request ?? {}, (_, value) => {
    if (!ArrayBuffer.isView(value)) return value;
    lists.push(value);
    first += value.length;
    return { $array: [first - value.length, value.length] };
  });
  const numbers = new Float64Array(first);
  lists.reduce((at, list) => (numbers.set(list, at), at + list.length), 0);
  return [json, numbers];
}

/** Answer with its numbers in place, and their buffers. */
function decode(json, numbers) {
  const buffers = [];
  const message = JSON.parse(json, (_, value) => {
    if (!value?.$array) return value;
    const [first, count] = value.$array;
    const list = numbers.slice(first, first + count);
    buffers.push(list.buffer);
    return list;
  });
  return [message, buffers];
}

async function reply({ id, kind, request }) {
  const module = await explorer;
  const onGpu = kind === "ensemble" && request?.where !== "cpu" && (await opened(module)) !== null;
  const answered = onGpu
    ? await module.answerAsync(kind, ...encode(request))
    : module.answer(kind, ...encode(request));
  const [message, buffers] = decode(answered.json, answered.numbers);
  answered.free();
  if (kind === "about" && message.answer) {
    const name = await opened(module);
    message.answer.gpu = name === null ? null : { name };
  }
  postMessage({ id, ...message }, buffers);
}

// One message after the other: an instance that has trapped is replaced before the next one.
let last = Promise.resolve();
onmessage = ({ data }) => {
  last = last.then(() => reply(data)).catch((error) => {
    const what = error instanceof WebAssembly.RuntimeError ? "the computation was aborted" : "no answer";
    postMessage({ id: data?.id, error: { message: `${what}: ${error.message}` } });
    explorer = parts.then(start);
    gpu = undefined;
  });
};
