// A solver in a worker of its own, as the page sees it.
import { compiled } from '../../core/muslin.js';
import { addressOf, fetched, isOneFile } from './files.js';

const code = compiled(fetched('muslin.wasm')); // once, while the page is still made; all workers share it

export class Lane {
  #worker;
  #waiting = new Map();
  #next = 0;

  /** A lane whose worker has loaded the program; `program` is what that knows. */
  static async begun() {
    const lane = new Lane();
    const inPage = isOneFile && (await addressOf('worker.js'));
    lane.#start(inPage ? new Worker(inPage) : new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }));
    const module = isOneFile ? undefined : await addressOf('muslin.mjs');
    lane.program = await lane.call('load', { module, wasmModule: await code });
    return lane;
  }

  #start(worker) {
    this.#worker = worker;
    worker.onmessage = ({ data: { id, value, error } }) => {
      const { resolve, reject } = this.#waiting.get(id) ?? {};
      if (!resolve) return; // it was ended
      this.#waiting.delete(id);
      if (error) reject(new Error(error));
      else resolve(value);
    };
    worker.onerror = (event) => this.#refuse(event.message ?? 'The worker of this lane did not start.');
  }

  #refuse(words) {
    for (const { reject } of this.#waiting.values()) reject(new Error(words));
    this.#waiting.clear();
  }

  /** Calls a function of worker.js. */
  call(name, args) {
    const id = this.#next++;
    this.#worker.postMessage({ id, call: name, args });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Ends its worker, whatever that does; who waits for it is told. */
  end() {
    this.#worker.terminate();
    this.#refuse('Stopped.');
  }
}
