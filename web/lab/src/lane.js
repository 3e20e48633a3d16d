// A solver in a worker of its own, as the page sees it.
export class Lane {
  #worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  #waiting = new Map();
  #next = 0;

  constructor() {
    this.#worker.onmessage = ({ data: { id, value, error } }) => {
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) reject(new Error(error));
      else resolve(value);
    };
    this.#worker.onerror = (event) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(event.message));
      this.#waiting.clear();
    };
  }

  /** Calls a function of worker.js. */
  call(name, args) {
    const id = this.#next++;
    this.#worker.postMessage({ id, call: name, args });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  end() {
    this.#worker.terminate();
  }
}
