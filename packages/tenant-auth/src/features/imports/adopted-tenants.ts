import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { safeJSONParse } from "@better-auth/core/utils/json";
import { findTenantRow, type TenantRow } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import type { Row } from "../../isolation/raw-adapter";
import { idOf } from "../../isolation/row-owners";
import { nameSchema, ownIdSchema } from "../../management/tenants/tenant";
import type { ResolvedOptions } from "../../options";
import { findSlugProblem, MAX_SLUG_LENGTH } from "../../rules";
import type { Reading } from "./owned-rows";

/** A tenant as the app knows it. */
export interface OwnTenant {
	/** The value that its users have. */
	value: string;
	/** By default, the value. */
	name?: string | undefined;
	/** By default, it is made from the name. */
	slug?: string | undefined;
}

export interface NamedTenant {
	value: string;
	name: string;
	slug: string;
}

export interface TenantConflict {
	code: "UNKNOWN_TENANT" | "INVALID_TENANT" | "SLUG_TAKEN";
	/** The value that the users have. */
	value: string;
	userId: null;
	model: null;
	id: null;
	/** One sentence for a person. */
	message: string;
}

export const tenantConflict = (
	code: TenantConflict["code"],
	value: string,
	message: string,
): TenantConflict => ({ code, value, userId: null, model: null, id: null, message });

export function withNames({ value, name = value, slug }: OwnTenant): NamedTenant {
	return { value, name: name.trim(), slug: slug ?? slugFrom(name) };
}

/** `Café & Co` becomes `cafe-co`. */
function slugFrom(name: string): string {
	const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
	const hyphenated = plain.replaceAll(/[^a-z\d]+/g, "-").slice(0, MAX_SLUG_LENGTH);
	return hyphenated.replaceAll(/^-|-$/g, "");
}

/** What is wrong with the list itself. */
export function findListConflicts(
	tenants: readonly NamedTenant[],
	{ reservedSlugs }: ResolvedOptions,
): TenantConflict[] {
	const values = new Set<string>();
	const slugs = new Set<string>();
	return tenants.flatMap(({ value, name, slug }) => {
		const conflicts: TenantConflict[] = [];
		const problem = findSlugProblem(slug, reservedSlugs);
		if (problem) {
			const message = `The slug ${JSON.stringify(slug)} cannot be used. ${problem.message}`;
			conflicts.push(tenantConflict("INVALID_TENANT", value, message));
		}
		const { error } = nameSchema.safeParse(name);
		if (error) {
			const message = `The name cannot be used: ${error.issues[0]?.message}`;
			conflicts.push(tenantConflict("INVALID_TENANT", value, message));
		}
		if (value === "") conflicts.push(tenantConflict("INVALID_TENANT", value, "Its id is empty"));
		// MySQL ignores case.
		if (values.has(value.toLowerCase())) {
			conflicts.push(tenantConflict("INVALID_TENANT", value, "Two tenants have this value"));
		} else if (slugs.has(slug)) {
			const message = `Two tenants have the slug ${JSON.stringify(slug)}`;
			conflicts.push(tenantConflict("SLUG_TAKEN", value, message));
		}
		values.add(value.toLowerCase());
		slugs.add(slug);
		return conflicts;
	});
}

/** The tenant gets the app's own id where it can be one, so that foreign keys stay as they are. */
export function idFrom({ options }: AuthContext, value: string): string | undefined {
	const isCounted = options.advanced?.database?.generateId === "serial";
	const isUsable = ownIdSchema.safeParse(value).success && isPossibleId(options, value);
	return isCounted || !isUsable ? undefined : value;
}

/** The ids of tenants that earlier runs made of a value, the latest one first. */
export type EarlierRuns = ReadonlyMap<string, readonly string[]>;

const EVENTS_PER_QUERY = 1000;

/**
 * Reads what earlier runs made of values that cannot be ids. The slug does not say it: the tenant may have
 * another one since, and so may the app's own table.
 */
export async function findEarlierRuns({ raw }: Reading): Promise<EarlierRuns> {
	const runs = new Map<string, string[]>();
	let behind: Where[] = [];
	const events: Row[] = [];
	for (;;) {
		const found = await raw.findMany<Row>({
			model: "tenantAuditEvent",
			where: [{ field: "action", value: "tenant:create" }, ...behind],
			sortBy: { field: "id", direction: "asc" },
			limit: EVENTS_PER_QUERY,
		});
		events.push(...found);
		if (found.length < EVENTS_PER_QUERY) break;
		behind = [{ field: "id", operator: "gt", value: idOf(found.at(-1)) }];
	}
	events.sort((one, other) => Number(other.createdAt) - Number(one.createdAt));
	for (const { tenantId, detail } of events) {
		const value = safeJSONParse<{ adoptedFrom?: string }>(String(detail))?.adoptedFrom;
		if (value === undefined) continue;
		runs.set(value, [...(runs.get(value) ?? []), String(tenantId)]);
	}
	return runs;
}

/** Finds the tenant that an earlier run made. */
export async function findAdopted(
	{ ctx }: Reading,
	{ value, slug }: NamedTenant,
	runs: EarlierRuns,
): Promise<TenantRow | TenantConflict | null> {
	const id = idFrom(ctx, value);
	for (const tenantId of id === undefined ? (runs.get(value) ?? []) : [id]) {
		const known = await findTenantRow(ctx, "id", tenantId);
		if (known) return known;
	}
	const named = await findTenantRow(ctx, "slug", slug);
	if (!named) return null;
	const message = `The slug ${JSON.stringify(slug)} belongs to the tenant ${named.id}`;
	return tenantConflict("SLUG_TAKEN", value, message);
}
