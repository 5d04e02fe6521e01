import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import { sharedChange } from "./shared-change";

type Flag = { run: <T>(value: true, work: () => T) => T; getStore: () => unknown };

const METHODS = ["log", "info", "debug", "warn", "error"] as const;

const output = globalThis.console;

let quiet: Flag | undefined;

/** Replaces the methods of the console by ones that print nothing inside {@link withoutLog}. */
const withMutableConsole = sharedChange(() => {
	const reverts = METHODS.map((method) => {
		const original = output[method];
		const mutable = (...values: unknown[]) => {
			if (!quiet?.getStore()) original.apply(output, values);
		};
		output[method] = mutable;
		return () => {
			// If other code has wrapped it in the meantime, it stays below that wrapper.
			if (output[method] === mutable) output[method] = original;
		};
	});
	return () => {
		for (const revert of reverts) revert();
	};
});

/**
 * Runs `work` with a console that prints nothing. The check makes thousands of wrong calls, and each is an
 * error in the log. Code outside `work` prints as before.
 */
export async function withoutLog<T>(work: () => Promise<T>): Promise<T> {
	const AsyncLocalStorage = await getAsyncLocalStorage();
	const flag: Flag = quiet ?? new AsyncLocalStorage();
	quiet = flag;
	return withMutableConsole(() => flag.run(true, work));
}
