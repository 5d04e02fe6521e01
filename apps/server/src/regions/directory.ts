import { memoryCounters } from "../database/counters";
import type { Log } from "../monitoring/log";
import type { Region, Regions } from "../settings/regions";

/** By what a tenant is found. */
export type TenantQuery = { slug: string } | { id: string } | { email: string };

/** What a region says about a tenant. */
export type RegionResponse = {
	tenant: { id: string; slug: string; name: string; loginHost: string | null } | null;
	/** Whether its users can sign in. */
	isOpen: boolean;
	/** Whether a tenant of the region had this slug before. Older servers do not say it. */
	isFormerSlug?: boolean;
};

/** A tenant of another region, as that region describes it. */
type ForeignTenant = {
	region: Region;
	tenant: NonNullable<RegionResponse["tenant"]>;
	isOpen: boolean;
};

/**
 * `null` if no other region has it, `unknown` if a region did not respond, and `former` if a tenant of another
 * region only had the slug before.
 */
export type Located = ForeignTenant | null | "unknown" | "former";

/** @param asker the address of a client who asks without credentials */
export type Locate = (query: TenantQuery, asker?: string) => Promise<Located>;

const MAX_ID_LENGTH = 128;

/** No tenant has any other id. Nobody is asked about it. */
export const isPossibleId = (id: unknown): boolean =>
	typeof id === "string" && id.length <= MAX_ID_LENGTH;

/** Where a region tells the others about its tenants. */
export const REGION_PATH = "/region/tenant";

const TIMEOUT_MS = 3000;
/** Requests with many names must not make this server call the others without end. */
const MAX_RUNNING = 32;

/**
 * Finds a tenant of another region. Each region knows its own tenants only, so that no data of a tenant
 * leaves its region: this asks all others.
 */
export function askRegions(
	{ others, keys: [key] }: Regions,
	log: Pick<Log, "warn" | "debug">,
): Locate {
	let running = 0;
	const away = new Set<Region>();

	async function ask(region: Region, query: TenantQuery): Promise<Located> {
		try {
			const response = await fetch(`${region.url}${REGION_PATH}?${new URLSearchParams(query)}`, {
				headers: { authorization: `Bearer ${key}` },
				redirect: "error",
				signal: AbortSignal.timeout(TIMEOUT_MS),
			});
			if (!response.ok) throw new Error(`It responded with ${response.status}.`);
			const { tenant, isOpen, isFormerSlug } = (await response.json()) as RegionResponse;
			away.delete(region);
			if (tenant) return { region, tenant, isOpen };
			return isFormerSlug ? "former" : null;
		} catch (err) {
			// An outage must not fill the log.
			const level = away.has(region) ? "debug" : "warn";
			away.add(region);
			log[level]({ err, region: region.name }, "another region does not respond");
			return "unknown";
		}
	}

	return async (query) => {
		if (running >= MAX_RUNNING) return "unknown";
		running++;
		try {
			const all = await Promise.all(others.map((region) => ask(region, query)));
			const found = all.filter((it) => it !== null && typeof it !== "string");
			// While a tenant moves, the old region has it too, suspended.
			const best = found.find(({ isOpen }) => isOpen) ?? found[0];
			return best ?? (["unknown", "former"] as const).find((it) => all.includes(it)) ?? null;
		} finally {
			running--;
		}
	};
}

const KEPT_MS = 30_000;
const MAX_KEPT = 1000;

/** Somebody who asks for one tenant after the other must not use up the questions of all. */
const MAX_MISSES = 30;
const MISSES_SECONDS = 60;

/** Keeps what was found for a moment. A region that did not respond is asked again. */
export function keepLocated(locate: Locate): Locate {
	const kept = new Map<string, { at: number; located: Promise<Located> }>();
	const misses = memoryCounters();

	async function ask(query: TenantQuery, asker: string | undefined): Promise<Located> {
		if (asker === undefined) return locate(query);
		if ((await misses.increment(asker, MISSES_SECONDS)) > MAX_MISSES) return "unknown";
		const located = await locate(query);
		if (located !== null && typeof located !== "string") await misses.decrement(asker);
		return located;
	}

	return async (query, asker) => {
		const name = JSON.stringify(query);
		const known = kept.get(name);
		if (known && Date.now() - known.at < KEPT_MS) return known.located;
		const located = ask(query, asker);
		kept.delete(name);
		kept.set(name, { at: Date.now(), located });
		const [oldest] = kept.keys();
		if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
		if ((await located) === "unknown") kept.delete(name);
		return located;
	};
}
