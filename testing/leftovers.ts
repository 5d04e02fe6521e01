import { setTimeout } from "node:timers/promises";
import { getGlobalDispatcher } from "undici";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";

/**
 * Fails a test that leaves something behind. Test files share a process, so what one of them forgets
 * breaks another one, often only on a busy machine.
 *
 * What a file sets up in `beforeAll` may stay until its `afterAll`; what a test sets up may not outlive
 * the test.
 */
type State = Map<string, unknown>;

/**
 * Globals that libraries add or replace for good when they are first used. Hono's server replaces
 * `Request` and `Response`.
 */
const OF_LIBRARIES = /^(__.*|Symbol\(.*|nanostoresGlobal|Request|Response)$/;

/** The plugin wraps `fetch` once, when a tenant's own provider is first asked, and keeps it wrapped. */
const GUARDED_FETCH = Symbol.for("better-auth-tenant:guarded-fetch");

const PATIENCE = 60_000;
const CONSOLE = ["debug", "error", "info", "log", "trace", "warn"] as const;
const PROCESS_EVENTS = ["SIGINT", "SIGTERM", "uncaughtException", "unhandledRejection"];

/** What is the same for all, whoever changes it. */
function readState(): State {
	const state: State = new Map();
	for (const key of Reflect.ownKeys(globalThis)) {
		if (OF_LIBRARIES.test(String(key))) continue;
		const { value, get } = Object.getOwnPropertyDescriptor(globalThis, key) ?? {};
		// Node makes some of its globals when they are first read.
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

/** What keeps a process alive, and goes on when nobody waits for it any longer. */
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

/** A global that Node makes when it is first read, or `fetch` when it is first guarded. */
function isFirstUse(name: string, before: State, after: State): boolean {
	return (
		before.get(name) === "a getter" ||
		(name === "globalThis.fetch" && after.get(name) === "guarded")
	);
}

const atTheStart = readState();
let resourcesAtTheStart: Map<string, number>;

beforeAll(() => {
	resourcesAtTheStart = countResources();
});

beforeEach(({ onTestFinished, task }) => {
	const before = readState();
	// Whatever else the test registers runs before this.
	onTestFinished(() => requireSame(before, readState(), `The test "${task.name}"`));
});

// Hooks that tear down run in reverse order: this runs last.
afterAll(async () => {
	requireSame(atTheStart, readState(), "This file");
	// What was closed or killed is gone a moment later, and a timer that was set may still run out.
	const giveUpAt = Date.now() + PATIENCE;
	for (;;) {
		const left = [...countResources()].filter(
			([name, count]) => count > (resourcesAtTheStart.get(name) ?? 0),
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
