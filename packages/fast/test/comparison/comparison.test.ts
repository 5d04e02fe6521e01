import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { endpointSources } from "../../../tenant-auth/test/support/http/endpoint-sources";
import { endpointsOf, makeDeterministic, makePair, type Pair, requireSame } from "./compare";
import type { Observed } from "./compared-app";
import { officialPlugins } from "./official-plugins";
import { KINDS } from "./requests";

const kinds = Object.keys(KINDS);

/** A valid request and two odd ones. All of them are sent to some endpoint. */
const kindsFor = (at: number) => {
	const odd = [kinds[at % kinds.length], kinds[(at * 7 + 3) % kinds.length]] as string[];
	return [...new Set(["valid", ...odd])];
};

makeDeterministic();

/**
 * The fast handler and statements do what Better Auth does, at every endpoint of the installed version.
 * `comparison.all.test.ts` sends every kind of request to every endpoint.
 */
describe("the fast handler and Better Auth's", () => {
	let pair: Pair;

	beforeAll(async () => {
		pair = await makePair(() => ({ plugins: officialPlugins() }), { watched: true });
	});

	it("are compared at all installed endpoints", () => {
		const compared = new Set(endpointsOf(pair).map(({ path }) => path));
		const paths = new Set(endpointSources().map(({ path }) => path));
		const missing = notEmpty(paths).filter((path) => path.startsWith("/") && !compared.has(path));
		expect(missing).toEqual([]);
	});

	it("do the same for valid and odd requests to all endpoints", async () => {
		const observed: Observed[] = [];
		for (const [at, endpoint] of notEmpty(endpointsOf(pair)).entries()) {
			observed.push(...(await requireSame(pair, endpoint, kindsFor(at))));
		}
		// Some of them succeed, some write, and some have a hook that runs.
		const statuses = new Set(observed.map(({ response }) => response.status));
		expect([...statuses]).toEqual(expect.arrayContaining([200, 302, 400, 401, 403, 404, 415]));
		expect(observed.filter(({ rows }) => rows).length).toBeGreaterThan(10);
		expect(observed.filter(({ calls }) => calls.length > 0).length).toBeGreaterThan(100);
	});

	it("do the same for requests to an app without other hooks", async () => {
		const bare = await makePair(() => ({}));
		for (const [at, endpoint] of notEmpty(endpointsOf(bare)).entries()) {
			await requireSame(bare, endpoint, kindsFor(at));
		}
	});
});
