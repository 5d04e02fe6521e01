import { setTimeout } from "node:timers/promises";
import { getGlobalDispatcher } from "undici";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";

/**
 * Fails a test that leaves something behind. Test files share a process, so what one file leaves can
 * break another one, often only on a busy machine.
 *
 * What a file sets up in `beforeAll` may stay until its `afterAll`. What a test sets up must end with
 * the test.
 */
type State = Map<string, unknown>;

/**
 * Globals that libraries add or replace when they are first used, and keep. Hono's server replaces
 * `Request` and `Response`.
 */
const LIBRARY_GLOBALS = /^(__.*|Symbol\(.*|nanostoresGlobal|Request|Response)$/;

/** The plugin wraps `fetch` when it first calls a tenant's own provider, and keeps it wrapped. */
const GUARDED_FETCH = Symbol.for("better-auth-tenant:guarded-fetch");

const RESOURCE_TIMEOUT = 60_000;
const CONSOLE = ["debug", "error", "info", "log", "trace", "warn"] as const;
const PROCESS_EVENTS = ["SIGINT", "SIGTERM", "uncaughtException", "unhandledRejection"];

/** The state that all tests of the process share. */
function readState(): State {
	const state: State = new Map();
	for (const key of Reflect.ownKeys(globalThis)) {
		if (LIBRARY_GLOBALS.test(String(key))) continue;
		const { value, get } = Object.getOwnPropertyDescriptor(globalThis, key) ?? {};
		// Node creates some of its globals when they are first read.
		state.set(`globalThis.${String(key)}`, get ? "a getter" : value);
	}
	if (GUARDED_FETCH in globalThis.fetch) state.set("globalThis.fetch", "guarded");
	for (const name of CONSOLE) state.set(`console.${name}`, console[name]);
	for (const [name, value] of Object.entries(process.env)) state.set(`process.env.${name}`, value);
	for (const event of PROCESS_EVENTS) {
		state.set(`listeners of process "${event}"`, process.listenerCount(event));
	}
	state.set("process.cwd()", process.cwd());
	state.set("process.exitCode", process.exitCode);
	state.set("process.stdout.write", process.stdout.write);
	state.set("process.stderr.write", process.stderr.write);
	state.set("fake timers", vi.isFakeTimers());
	state.set("undici's global dispatcher", getGlobalDispatcher());
	return state;
}

const RESOURCES: Record<string, string> = {
	TCPServerWrap: "servers",
	PipeServerWrap: "servers",
	ProcessWrap: "child processes",
	Timeout: "timers",
};

/** Resources that keep the process alive. */
function countResources(): Map<string, number> {
	const counts = new Map(Object.values(RESOURCES).map((name) => [name, 0]));
	for (const type of process.getActiveResourcesInfo()) {
		const name = RESOURCES[type];
		if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return counts;
}

function requireSame(before: State, after: State, what: string): void {
	const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
		(name) => !Object.is(before.get(name), after.get(name)) && !isFirstUse(name, before, after),
	);
	if (changed.length === 0) return;
	throw new Error(`${what} leaves something behind: ${changed.join(", ")}`);
}

/** A global that Node creates when it is first read, or `fetch` when the plugin first wraps it. */
function isFirstUse(name: string, before: State, after: State): boolean {
	return (
		before.get(name) === "a getter" ||
		(name === "globalThis.fetch" && after.get(name) === "guarded")
	);
}

const initialState = readState();
let initialResources: Map<string, number>;

beforeAll(() => {
	initialResources = countResources();
});

beforeEach(({ onTestFinished, task }) => {
	const before = readState();
	// Callbacks that the test registers later run before this one.
	onTestFinished(() => requireSame(before, readState(), `The test "${task.name}"`));
});

// `afterAll` hooks run in reverse order, so this one runs last.
afterAll(async () => {
	requireSame(initialState, readState(), "This file");
	// A closed server or a killed process takes a moment to disappear, and a timer may still end.
	const giveUpAt = Date.now() + RESOURCE_TIMEOUT;
	for (;;) {
		const left = [...countResources()].filter(
			([name, count]) => count > (initialResources.get(name) ?? 0),
		);
		if (left.length === 0) return;
		if (Date.now() > giveUpAt) {
			throw new Error(
				`This file leaves something running: ${left.map((it) => it.join(" ")).join(", ")}`,
			);
		}
		await setTimeout(10);
	}
});
