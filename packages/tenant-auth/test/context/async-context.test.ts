import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it } from "vitest";
import { requireWorkingContext } from "../../src/call/context/current-state";

/** What Better Auth falls back to in runtimes without `AsyncLocalStorage`: one variable for all. */
class OneVariable {
	#current: unknown;
	run<T>(store: unknown, work: () => T): T {
		const before = this.#current;
		this.#current = store;
		const result = work();
		if (!(result instanceof Promise)) {
			this.#current = before;
			return result;
		}
		return result.finally(() => {
			this.#current = before;
		}) as T;
	}
	getStore() {
		return this.#current;
	}
}

describe("the check of the runtime at start", () => {
	it("passes with AsyncLocalStorage", async () => {
		await expect(requireWorkingContext(new AsyncLocalStorage())).resolves.toBeUndefined();
	});

	it("stops the start where interleaved requests would see each other", async () => {
		await expect(requireWorkingContext(new OneVariable())).rejects.toThrow(
			"no working AsyncLocalStorage",
		);
	});
});
