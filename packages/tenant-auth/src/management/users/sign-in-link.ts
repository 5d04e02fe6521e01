import type { GenericEndpointContext } from "@better-auth/core";
import type { User } from "@better-auth/core/db";
import { generateRandomString } from "better-auth/crypto";
import * as z from "zod";
import { findCurrentTenantRow } from "../../call/context/current-scope";
import { byManagement } from "../../call/context/policy-check";
import { policyIn } from "../../call/policy/tenant-policy";
import { digest } from "../../database/digest";
import { excuseFromSecondFactor } from "../../isolation/link-sessions";
import { recordAuditEvent } from "../audit/audit-store";

const TOKEN_LENGTH = 32;

const stored = z.object({ userId: z.string(), callbackURL: z.string() });

/** What a link does. */
export type SignInLink = z.output<typeof stored>;

/** The digest, as the database must not contain the token. */
const identifierOf = async (token: string) => `tenant-sign-in-link:${await digest(token)}`;

/** Stores a link, and returns its token. Must run in the tenant's scope, and in a transaction. */
export async function storeSignInLink(
	{ context }: GenericEndpointContext,
	link: SignInLink,
	expiresAt: Date,
): Promise<string> {
	const token = generateRandomString(TOKEN_LENGTH, "a-z", "A-Z", "0-9");
	const identifier = await identifierOf(token);
	const value = JSON.stringify(link);
	await context.internalAdapter.createVerificationValue({ identifier, value, expiresAt });
	return token;
}

/**
 * Uses up the token of a link. If the tenant of the call is not known yet, the token decides it, and the
 * tenant must be open. `null` for a token that is unknown, expired, used or of another tenant.
 */
export async function consumeSignInLink(
	{ context }: GenericEndpointContext,
	token: string,
): Promise<SignInLink | null> {
	const { internalAdapter } = context;
	const identifier = await identifierOf(token);
	const pending = await internalAdapter.findVerificationValue(identifier);
	// Of two callers, only one gets it.
	const used = pending && (await internalAdapter.consumeVerificationValue(identifier));
	if (!used || used.expiresAt <= new Date()) return null;
	return stored.parse(JSON.parse(used.value));
}

/** Creates the session of an owner, whatever the tenant's policy says. */
export async function signInOwner(ctx: GenericEndpointContext, user: User, tenantId: string) {
	const { internalAdapter } = ctx.context;
	const session = await byManagement(() => internalAdapter.createSession(user.id));
	const until =
		(await needsExcuse(user)) && (await excuseFromSecondFactor(internalAdapter, session));
	const event = {
		action: "user:use-sign-in-link",
		tenantId,
		targetId: user.id,
		...(until ? { detail: { withoutSecondFactorUntil: until } } : {}),
	} as const;
	await recordAuditEvent(ctx, event, { kind: "member", id: user.id });
	return { session, user };
}

async function needsExcuse(user: User & { twoFactorEnabled?: boolean | null }): Promise<boolean> {
	const tenant = await findCurrentTenantRow();
	const isRequired = tenant !== null && policyIn(tenant).secondFactor.required;
	return isRequired && user.twoFactorEnabled !== true;
}
