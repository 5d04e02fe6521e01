import { type Admission, createLoadShedder, type LoadShedderOptions } from "fair-load-shedder";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

const ADDRESS = "192.0.2.1";

/** A shedder whose clients are named by tenant and address. */
function clients(options: LoadShedderOptions = {}) {
	const shedder = createLoadShedder({ maxRunning: 8, ...options });
	const settled: Admission[] = [];
	return {
		shedder,
		settled,
		/** Sends a request, and tells what became of it by now. */
		send: async (tenant: string | null, address = ADDRESS, signal?: AbortSignal) => {
			let outcome: Admission | "waits" = "waits";
			const admitting = shedder.admit({ tenant, address, ...(signal ? { signal } : {}) });
			const done = admitting.then((admission) => {
				outcome = admission;
				settled.push(admission);
			});
			await vi.advanceTimersByTimeAsync(0);
			return { done, now: () => nameOf(outcome), release: () => releaseOf(outcome)() };
		},
	};
}

function nameOf(outcome: Admission | "waits"): string {
	if (outcome === "waits") return outcome;
	return outcome.refusal ? outcome.refusal.code : "runs";
}

function releaseOf(outcome: Admission | "waits"): () => void {
	if (outcome === "waits" || outcome.refusal) throw new Error("It does not run.");
	return outcome.release;
}

type Clients = ReturnType<typeof clients>;
type Sent = Awaited<ReturnType<Clients["send"]>>;

async function flood(
	{ send }: Clients,
	count: number,
	tenant: string | null = "loud",
	address: (n: number) => string = () => ADDRESS,
): Promise<Sent[]> {
	const sent: Sent[] = [];
	for (let n = 0; n < count; n += 1) sent.push(await send(tenant, address(n)));
	return sent;
}

const count = (sent: Sent[], name: string) => sent.filter((it) => it.now() === name).length;

async function finish({ shedder }: Clients, ...all: Sent[][]): Promise<void> {
	while (shedder.load.running > 0) {
		for (const it of all.flat()) if (it.now() === "runs") it.release();
		await vi.advanceTimersByTimeAsync(0);
	}
	expect(shedder.load).toMatchObject({ running: 0, waiting: 0 });
	expect(vi.getTimerCount()).toBe(0);
}

describe("a flood of one tenant", () => {
	test("waits when as many run as may, and is refused with 429 after a while", async () => {
		const all = clients();
		const sent = await flood(all, 20);
		expect([count(sent, "runs"), count(sent, "waits")]).toEqual([8, 12]);
		await vi.advanceTimersByTimeAsync(2000);
		expect(count(sent, "TOO_MANY_CONCURRENT_REQUESTS")).toBe(12);
		const refused = all.settled.find(({ refusal }) => refusal);
		expect(refused?.refusal).toMatchObject({ status: 429, retryAfterSeconds: 1 });
		await finish(all, sent);
	});

	test("does not keep another tenant out, from the same address or another", async () => {
		const all = clients();
		const loud = await flood(all, 50);
		const quiet = [await all.send("quiet"), await all.send("another", "192.0.2.9")];
		expect(count(quiet, "runs")).toBe(2);
		await finish(all, loud, quiet);
	});

	test("leaves every tenant its share and no more", async () => {
		const all = clients();
		const loud = await flood(all, 50);
		const second = await flood(all, 50, "second");
		expect(count(loud, "runs")).toBe(8);
		expect(count(second, "runs")).toBe(4);
		await finish(all, loud, second);
	});

	test("gives the next free place to the tenant that has fewer", async () => {
		const all = clients();
		const loud = await flood(all, 50);
		const second = await flood(all, 50, "second");
		expect([count(loud, "waits"), count(second, "waits")]).toEqual([42, 46]);
		// Of 12 that run, 8 may. So only a tenant below its share starts another one.
		for (const it of [...loud.slice(0, 2), second[0]]) it?.release();
		await vi.advanceTimersByTimeAsync(0);
		expect([count(loud, "waits"), count(second, "waits")]).toEqual([42, 45]);
		await finish(all, loud, second);
	});

	test("from one address keeps no other address of the tenant out, also if nothing of it ends", async () => {
		const all = clients();
		const loud = await flood(all, 50);
		const second = await flood(all, 50, "second");
		const users = [];
		for (const tenant of ["loud", "second"]) users.push(await all.send(tenant, "192.0.2.77"));
		expect(count(users, "runs")).toBe(2);
		await finish(all, loud, second, users);
	});

	test("that names many tenants leaves a place in each for another address", async () => {
		const all = clients({ maxRunning: 8 });
		const named: Sent[] = [];
		for (let n = 0; n < 12; n += 1) named.push(await all.send(`t${n}`));
		expect(count(named, "runs")).toBe(12);
		const user = await all.send("t0", "192.0.2.77");
		expect(user.now()).toBe("runs");
		await finish(all, named, [user]);
	});

	test("and other addresses of it get its share and no more", async () => {
		const all = clients();
		const loud = await flood(all, 50);
		const users = await flood(all, 50, "loud", (n) => `198.51.100.${n}`);
		expect([count(loud, "runs"), count(users, "runs")]).toEqual([8, 7]);
		const quiet = await all.send("quiet", "192.0.2.9");
		expect(quiet.now()).toBe("runs");
		await finish(all, loud, users, [quiet]);
	});

	test("from one address lets other addresses of the tenant go first", async () => {
		const all = clients();
		const loud = await flood(all, 50);
		const users = await flood(all, 8, "loud", (n) => `198.51.100.${n}`);
		const last = users.at(-1);
		expect(last?.now()).toBe("waits");
		users[0]?.release();
		await vi.advanceTimersByTimeAsync(0);
		expect(last?.now()).toBe("runs");
		await finish(all, loud, users);
	});

	test("from many addresses does not keep another tenant out", async () => {
		const all = clients();
		const loud = await flood(all, 300, "loud", (n) => `198.51.100.${n}`);
		const quiet = await all.send("quiet");
		expect(quiet.now()).toBe("runs");
		await finish(all, loud, [quiet]);
	});
});

describe("what a request names", () => {
	test("is its address, if it names no tenant", async () => {
		const all = clients();
		const loud = await flood(all, 50, null);
		const other = await all.send(null, "192.0.2.9");
		expect(other.now()).toBe("runs");
		expect(count(loud, "runs")).toBe(8);
		await finish(all, loud, [other]);
	});

	test("does not help an address that invents tenants: others still get in", async () => {
		const all = clients();
		const invented: Sent[] = [];
		for (let n = 0; n < 100; n += 1) invented.push(await all.send(`invented-${n}`));
		expect(count(invented, "runs")).toBe(16);
		const other = await all.send("quiet", "192.0.2.9");
		expect(other.now()).toBe("runs");
		await finish(all, invented, [other]);
	});

	test("is nothing if it is too long for an id", async () => {
		const all = clients();
		const long = "x".repeat(129);
		const loud = await flood(all, 20, long);
		expect(count(loud, "runs")).toBe(8);
		const same = await all.send(null);
		expect(same.now()).toBe("waits");
		await finish(all, loud, [same]);
	});

	test("cannot be an address by its text", async () => {
		const all = clients();
		const loud = await flood(all, 20, `address ${ADDRESS}`);
		const unnamed = await all.send(null, ADDRESS);
		expect(unnamed.now()).toBe("runs");
		await finish(all, loud, [unnamed]);
	});
});

describe("waiting", () => {
	test("ends when the client is gone, and its place is free", async () => {
		const all = clients();
		const loud = await flood(all, 8);
		const gone = new AbortController();
		const waiting = await all.send("loud", ADDRESS, gone.signal);
		expect(all.shedder.load.waiting).toBe(1);
		gone.abort();
		await waiting.done;
		expect(all.shedder.load.waiting).toBe(0);
		const late = await all.send("loud", ADDRESS, gone.signal);
		expect(late.now()).not.toBe("runs");
		await finish(all, loud);
	});

	test("has a limited number of places, and the tenant with the most gives one up", async () => {
		const all = clients({ maxWaiting: 10 });
		const loud = await flood(all, 30);
		expect([count(loud, "waits"), count(loud, "TOO_MANY_CONCURRENT_REQUESTS")]).toEqual([10, 12]);
		const second = await flood(all, 6, "second");
		expect([count(second, "runs"), count(second, "waits")]).toEqual([4, 2]);
		expect(count(loud, "waits")).toBe(8);
		await finish(all, loud, second);
	});

	test("a place is given up to another address of the same tenant", async () => {
		const all = clients({ maxWaiting: 10 });
		const loud = await flood(all, 30);
		const user = await flood(all, 5, "loud", () => "192.0.2.77");
		expect([count(user, "runs"), count(user, "waits")]).toEqual([4, 1]);
		expect(count(loud, "waits")).toBe(9);
		await finish(all, loud, user);
	});
});

test("a tenant with nothing running is told that the server is overloaded, not that it sends too much", async () => {
	const all = clients();
	const everybody: Sent[] = [];
	for (let n = 0; n < 100; n += 1) everybody.push(await all.send(`t${n}`, `198.51.100.${n}`));
	const late = await all.send("quiet", "192.0.2.9");
	expect(late.now()).toBe("waits");
	await vi.advanceTimersByTimeAsync(2000);
	expect(late.now()).toBe("SERVER_OVERLOADED");
	await finish(all, everybody, [late]);
});

test("fewer may run while the event loop is late, and more again when it is not", async () => {
	const all = clients();
	const [one] = await flood(all, 1);
	expect(all.shedder.load.limit).toBe(8);
	for (let n = 0; n < 10; n += 1) {
		// The clock jumps past the time of the timer, as when the process is busy.
		vi.setSystemTime(Date.now() + 500);
		vi.spyOn(performance, "now").mockReturnValueOnce(performance.now() + 500);
		await vi.advanceTimersByTimeAsync(50);
	}
	expect(all.shedder.load.limit).toBe(2);
	vi.restoreAllMocks();
	await vi.advanceTimersByTimeAsync(50 * 20);
	expect(all.shedder.load.limit).toBe(8);
	await finish(all, one ? [one] : []);
});

test("releasing twice counts once", async () => {
	const all = clients();
	const sent = await flood(all, 2);
	sent[0]?.release();
	sent[0]?.release();
	await vi.advanceTimersByTimeAsync(1);
	expect(all.shedder.load.running).toBe(1);
	sent[1]?.release();
	await finish(all);
});

test("requests that are answered at once share the turn of the event loop", async () => {
	vi.useRealTimers();
	const shedder = createLoadShedder({ maxRunning: 8 });
	const nextTurn = () => new Promise((resume) => setImmediate(resume));
	let started = 0;
	let isAdmitted = false;
	const loud = Array.from({ length: 100 }, async () => {
		const admission = await shedder.admit({ tenant: "loud", address: ADDRESS });
		started += 1;
		if (!admission.refusal) admission.release();
	});
	// Only microtasks have run until here.
	for (let step = 0; step < 50; step += 1) await null;
	expect(started).toBe(8);

	const quiet = shedder.admit({ tenant: "quiet", address: "192.0.2.2" }).then((admission) => {
		isAdmitted = true;
		if (!admission.refusal) admission.release();
	});
	await nextTurn();
	expect(isAdmitted).toBe(true);
	expect(started).toBeLessThan(40);
	await Promise.all([...loud, quiet]);
	await nextTurn();
	expect(shedder.load).toMatchObject({ running: 0, waiting: 0 });
});

test("says on Cloudflare Workers that it does not work there", () => {
	vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
	onTestFinished(() => void vi.unstubAllGlobals());
	expect(() => createLoadShedder()).toThrow("does not work on Cloudflare Workers");
});
