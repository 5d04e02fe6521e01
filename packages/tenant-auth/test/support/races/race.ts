import { expect } from "vitest";
import { possiblyEmpty } from "../../../../../testing/not-empty";
import type { IdentityProvider } from "../providers/identity-provider";
import type { Answer, Instance } from "../worlds/instance";
import type { TwoInstances } from "../worlds/two-instances";

export const SIX = [0, 1, 2, 3, 4, 5];

/** Two instances, and an identity provider for their tenants. */
export interface RaceTrack extends Omit<TwoInstances, "close"> {
	gitlab: IdentityProvider;
	/** Whether people may get 409 `WRITE_CONFLICT`, as in a cluster with several nodes that write. */
	conflicts: boolean;
}

export type Outcome = Pick<Answer, "status" | "body">;

/** What a race has left. It has checked its own rules already. */
export interface Finish {
	tenantId: string;
	answers: Outcome[];
	/** Codes that those who lost may get. */
	refusals: string[];
	/** Emails of those who must be there. */
	acknowledged: string[];
}

export type Race = (track: RaceTrack, round: number) => Promise<Finish>;

/** Calls of both instances at the same time, in turn. */
export const onBoth = <T>(
	{ one, other }: RaceTrack,
	call: (instance: Instance, n: number) => Promise<T>,
) => Promise.all(SIX.map((n) => call(n % 2 === 0 ? one : other, n)));

export const succeeded = <T extends Outcome>(answers: T[]) =>
	answers.filter(({ status }) => status === 200);

export const rowsOf = ({ db }: Pick<TwoInstances, "db">, table: string, tenantId: string) =>
	db.selectFrom(table).where("tenantId", "=", tenantId).selectAll().execute();

export const sessionAt = async ({ call }: Instance, cookie: string) =>
	(await call("/get-session", { cookie })).body?.session ?? null;

export interface RaceResult {
	rounds: number;
	/** How many responses had which status. */
	statuses: Record<string, number>;
	/** 409 `WRITE_CONFLICT`. */
	conflicts: number;
	/** Acknowledged, and not in the database afterwards. */
	lost: number;
	/** Emails that two users have. */
	duplicates: number;
	/** Users without an account, accounts without a user, and rows of a tenant that is gone. */
	halfMade: number;
}

/** Runs a race some times, each time in a new tenant. */
export async function runRace(track: RaceTrack, race: Race, rounds: number): Promise<RaceResult> {
	const result = { rounds, statuses: {}, conflicts: 0, lost: 0, duplicates: 0, halfMade: 0 };
	for (let round = 0; round < rounds; round += 1)
		addRound(result, await finish(track, race, round));
	return result;
}

async function finish(track: RaceTrack, race: Race, round: number) {
	const { tenantId, answers, refusals, acknowledged } = await race(track, round);
	const allowed = [...refusals, ...(track.conflicts ? ["WRITE_CONFLICT"] : [])];
	for (const { status, body } of possiblyEmpty(answers.filter(({ status }) => status !== 200))) {
		expect(status).toBeLessThan(500);
		expect(allowed).toContain(body?.code);
	}
	const emails = (await rowsOf(track, "user", tenantId)).map(({ email }) => String(email));
	return {
		answers,
		lost: acknowledged.filter((email) => !emails.includes(email)).length,
		duplicates: emails.length - new Set(emails).size,
		halfMade: await countHalfMade(track, tenantId),
	};
}

async function countHalfMade(track: RaceTrack, tenantId: string): Promise<number> {
	const [users, accounts] = [
		await rowsOf(track, "user", tenantId),
		await rowsOf(track, "account", tenantId),
	];
	const { status } = await track.one.manage("/tenant/get", { query: { id: tenantId } });
	if (status === 404) return users.length + accounts.length;
	const ids = users.map(({ id }) => id);
	const owners = accounts.map(({ userId }) => userId);
	return (
		ids.filter((id) => !owners.includes(id)).length +
		owners.filter((id) => !ids.includes(id)).length
	);
}

function addRound(
	result: RaceResult,
	{ answers, ...counts }: Awaited<ReturnType<typeof finish>>,
): void {
	for (const { status, body } of answers) {
		result.statuses[status] = (result.statuses[status] ?? 0) + 1;
		if (body?.code === "WRITE_CONFLICT") result.conflicts += 1;
	}
	for (const name of ["lost", "duplicates", "halfMade"] as const) result[name] += counts[name];
}
