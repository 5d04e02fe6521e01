import type { GenericEndpointContext } from "@better-auth/core";
import { expireCookie } from "better-auth/cookies";
import { generateRandomString } from "better-auth/crypto";
import * as z from "zod";
import { findSignedValue, headersOf } from "../../call/context/presented-sessions";
import { digest } from "../../database/digest";
import { lifetimeOf } from "./options";

const COOKIE = "tenant_links";
/** A cookie has 4 KB at most. */
const MAX_ENTRIES = 8;

/** A session in which a user of a tenant proved in this browser who they are. */
const entrySchema = z.strictObject({
	tenantId: z.string().min(1),
	token: z.string().min(1),
	/** Whether it ends with the browser: the user did not want to be remembered. */
	temporary: z.literal(true).optional(),
});

const keyringSchema = z.strictObject({
	secret: z.string().min(1),
	entries: z.array(entrySchema).max(MAX_ENTRIES),
	/** A link that has started: its first user, and the digest of the code that finishes it. */
	started: z.strictObject({ entry: entrySchema, code: z.string(), at: z.number() }).optional(),
});

export type Entry = z.output<typeof entrySchema>;

/**
 * The linked users of one browser, in a cookie that no script can read. Only this cookie says which users
 * belong together: no database does. So power over a user in one tenant, from another browser, leads to no
 * other tenant.
 */
export type Keyring = z.output<typeof keyringSchema>;

export const randomText = () => generateRandomString(32, "a-z", "A-Z", "0-9");

export const newKeyring = (): Keyring => ({ secret: randomText(), entries: [] });

/** By what the database finds the row of an entry. */
export const digestOf = ({ secret }: Keyring, { tenantId, token }: Entry): Promise<string> =>
	digest(JSON.stringify([secret, tenantId, token]));

export const findEntry = (keyring: Keyring | null, token: string): Entry | undefined =>
	keyring?.entries.find((entry) => entry.token === token);

/** A tenant has one user in a keyring. The oldest ones make room. */
export const withEntries = ({ secret, entries }: Keyring, ...added: Entry[]): Keyring => ({
	secret,
	entries: [
		...entries.filter(({ tenantId }) => !added.some((entry) => entry.tenantId === tenantId)),
		...added,
	].slice(-MAX_ENTRIES),
});

const cookieOf = (ctx: GenericEndpointContext) =>
	ctx.context.createAuthCookie(COOKIE, { maxAge: lifetimeOf(ctx) });

/** The keyring of the calling browser. One that is not ours, or not whole, is none. */
export async function findKeyring(ctx: GenericEndpointContext): Promise<Keyring | null> {
	const cookies = headersOf(ctx)?.get("cookie");
	const { name } = cookieOf(ctx);
	if (!cookies?.includes(`${name}=`)) return null;
	const value = await findSignedValue(cookies, name, ctx.context.secret);
	return value === null ? null : (keyringSchema.safeParse(parsed(value)).data ?? null);
}

/** We have signed it. But an earlier version may have written it in another form. */
function parsed(value: string): unknown {
	try {
		return JSON.parse(value);
	} catch {
		return null;
	}
}

export async function writeKeyring(ctx: GenericEndpointContext, keyring: Keyring): Promise<void> {
	const { name, attributes } = cookieOf(ctx);
	const { entries, started } = keyring;
	if (entries.length === 0 && !started) return dropKeyring(ctx);
	const { maxAge, ...ofSession } = attributes;
	const isTemporary = [...entries, ...(started ? [started.entry] : [])].some((it) => it.temporary);
	// A browser that must forget one of the sessions forgets them all.
	const lasting = isTemporary ? ofSession : { ...ofSession, maxAge };
	await ctx.setSignedCookie(name, JSON.stringify(keyring), ctx.context.secret, lasting);
}

export const dropKeyring = (ctx: GenericEndpointContext): void => expireCookie(ctx, cookieOf(ctx));
