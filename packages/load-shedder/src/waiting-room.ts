/** How many requests of one tenant, or of one address, run and wait. */
interface Count {
	readonly name: string;
	running: number;
	waiting: number;
}

export interface Caller {
	/** What the request names as its tenant. If it names none, its address is treated as one. */
	readonly tenant: Count;
	/** The address, in all tenants. */
	readonly address: Count;
	/** The address, in this tenant. */
	readonly pair: Count;
}

export interface Work {
	readonly caller: Caller;
	start(): void;
	refuse(): void;
}

export interface WaitingRoom {
	readonly running: number;
	readonly waiting: number;
	callerOf(source: { tenant: string | null; address: string | null }): Caller;
	/** How many tenants, or addresses, have something running, if this one has. */
	runningTenants(tenant: Count): number;
	runningAddresses(address: Count): number;
	/** The addresses with something running in a tenant. */
	runningPairs(tenant: Count): ReadonlySet<Count>;
	begin(caller: Caller): void;
	end(caller: Caller): void;
	/** Takes a place, if there is one. */
	add(work: Work): boolean;
	remove(work: Work): void;
	/** The one whose turn is next: of the tenant, then of the address, with the least running. */
	findNext(mayRun: (caller: Caller) => boolean): Work | null;
}

/** No id or slug is longer. A longer text names nothing. */
const MAX_NAME_LENGTH = 128;

const NO_PAIRS: ReadonlySet<Count> = new Set();

/** Counts what runs and what waits. A tenant or an address with neither is forgotten. */
export function createWaitingRoom(maxWaiting: number): WaitingRoom {
	const tenants = createCounts();
	const addresses = createCounts();
	const pairs = createCounts();
	const pairsOf = new Map<string, Set<Count>>();
	const inOrder = new Set<Work>();
	let running = 0;

	return {
		get running() {
			return running;
		},
		get waiting() {
			return inOrder.size;
		},
		callerOf({ tenant, address }) {
			const ip = address ?? "";
			const isNamed = tenant !== null && tenant.length <= MAX_NAME_LENGTH;
			const key = isNamed ? `tenant ${tenant}` : `address ${ip}`;
			return {
				tenant: tenants.find(key),
				address: addresses.find(ip),
				pair: pairs.find(`${ip} ${key}`),
			};
		},
		runningTenants: (tenant) => tenants.running + (tenant.running > 0 ? 0 : 1),
		runningAddresses: (address) => addresses.running + (address.running > 0 ? 0 : 1),
		runningPairs: ({ name }) => pairsOf.get(name) ?? NO_PAIRS,
		begin(caller) {
			running += 1;
			change(caller, "running", 1);
			const { tenant, pair } = caller;
			pairsOf.set(tenant.name, (pairsOf.get(tenant.name) ?? new Set()).add(pair));
		},
		end(caller) {
			running -= 1;
			change(caller, "running", -1);
			const { tenant, pair } = caller;
			if (pair.running === 0) pairsOf.get(tenant.name)?.delete(pair);
			if (tenant.running === 0) pairsOf.delete(tenant.name);
		},
		add(work) {
			if (inOrder.size >= maxWaiting && !makeRoomFor(work.caller)) return false;
			inOrder.add(work);
			change(work.caller, "waiting", 1);
			return true;
		},
		remove,
		findNext(mayRun) {
			let next: Work | null = null;
			for (const work of inOrder) {
				if (next !== null && !isEarlier(work.caller, next.caller)) continue;
				if (mayRun(work.caller)) next = work;
			}
			return next;
		},
	};

	function change(
		{ tenant, address, pair }: Caller,
		what: "running" | "waiting",
		by: 1 | -1,
	): void {
		tenants.change(tenant, what, by);
		addresses.change(address, what, by);
		pairs.change(pair, what, by);
	}

	function remove(work: Work): void {
		if (inOrder.delete(work)) change(work.caller, "waiting", -1);
	}

	/** The tenant with the most waiting loses its newest place, and within it the address with the most. */
	function makeRoomFor(caller: Caller): boolean {
		let loser: Work | null = null;
		for (const work of inOrder) {
			if (loser === null || !waitsLess(work.caller, loser.caller)) loser = work;
		}
		if (!loser) return false;
		const { tenant, pair } = loser.caller;
		const isSame = tenant === caller.tenant;
		const has = isSame ? caller.pair.waiting : caller.tenant.waiting;
		if ((isSame ? pair : tenant).waiting <= has + 1) return false;
		remove(loser);
		loser.refuse();
		return true;
	}
}

function isEarlier(a: Caller, b: Caller): boolean {
	const less =
		a.tenant.running - b.tenant.running ||
		a.pair.running - b.pair.running ||
		a.address.running - b.address.running;
	return less < 0;
}

function waitsLess(a: Caller, b: Caller): boolean {
	return (a.tenant.waiting - b.tenant.waiting || a.pair.waiting - b.pair.waiting) < 0;
}

/** Counts by name. A name with nothing to count is forgotten. */
function createCounts() {
	const byName = new Map<string, Count>();
	let running = 0;
	return {
		/** How many names have something running. */
		get running() {
			return running;
		},
		find: (name: string): Count => byName.get(name) ?? { name, running: 0, waiting: 0 },
		change(count: Count, what: "running" | "waiting", by: 1 | -1): void {
			const wasRunning = count.running > 0;
			count[what] += by;
			if (wasRunning !== count.running > 0) running += by;
			if (count.running + count.waiting > 0) byName.set(count.name, count);
			else byName.delete(count.name);
		},
	};
}
