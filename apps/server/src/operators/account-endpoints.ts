import type { GenericEndpointContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";
import { createAuthEndpoint } from "better-auth/api";
import { type Actor, recordAppEvent, runOnPlatform } from "better-auth-tenant";
import * as z from "zod";
import type { Access } from "./access";
import { type AccountStore, accountStore } from "./account-store";
import { operatorError } from "./errors";
import { operatorName } from "./operator-endpoints";
import { requirePasswordOf } from "./own-password";
import type { Role } from "./permissions";
import {
	createRecoveryCodes,
	createSecondFactor,
	isCodeOf,
	sealSetup,
	totpUriOf,
	unsealSetup,
} from "./second-factor";

/** The operator who calls, with the token of the session. */
type Self = { id: string; email: string; name: string; role: Role | null; token: string };

type AccountEvent =
	| "app:update-account"
	| "app:change-password"
	| "app:set-up-second-factor"
	| "app:create-recovery-codes"
	| "app:revoke-sessions";

const password = z.string().min(1).max(1000);
const currentPassword = password.meta({ description: "The current password" });

/**
 * The account of the operator who calls. Every operator may change it, whatever the role is. A key has no
 * account.
 */
export function accountEndpoints({ access, baseUrl }: { access: Access; baseUrl: string }) {
	const findSelf = async (ctx: GenericEndpointContext): Promise<Self & { isReady: boolean }> => {
		const identity = await access.find(ctx);
		if (!identity) throw access.rejection(ctx);
		if (identity.status === "not-an-operator") throw operatorError("TENANT_MANAGEMENT_NOT_ALLOWED");
		const { session } = identity;
		if (session.kind !== "session") throw operatorError("NO_OPERATOR_ACCOUNT");
		if (identity.status === "second-factor-required") {
			const { id, email, name } = identity.user;
			return { id, email, name, role: null, token: session.value, isReady: false };
		}
		const { actor, email, role } = identity.caller;
		const { id, name = "" } = actor;
		if (id === null || email === null) throw operatorError("NO_OPERATOR_ACCOUNT");
		return { id, email, name, role, token: session.value, isReady: true };
	};

	const requireSelf = async (ctx: GenericEndpointContext): Promise<Self> => {
		const self = await findSelf(ctx);
		if (!self.isReady) throw operatorError("SECOND_FACTOR_REQUIRED");
		return self;
	};

	const read = <T>(
		ctx: GenericEndpointContext,
		self: Self,
		work: (s: AccountStore) => Promise<T>,
	) => runOnPlatform(() => work(accountStore(ctx.context, self.id)));

	/** Changes the account and records it, both or neither. */
	const change = (
		ctx: GenericEndpointContext,
		self: Self,
		action: AccountEvent,
		work: (store: AccountStore) => Promise<Record<string, unknown>>,
	) =>
		read(ctx, self, (store) =>
			runWithTransaction(ctx.context.adapter, async () => {
				const detail = { email: self.email, ...(await work(store)) };
				const actor: Actor = { kind: "administrator", id: self.id, name: self.name };
				await recordAppEvent(ctx, { action, actor, targetId: self.id, detail });
			}),
		);

	const requirePassword = (ctx: GenericEndpointContext, self: Self, typed: string) =>
		requirePasswordOf(ctx, self.id, typed);

	/** A set-up is for one session, and only as long as nothing else has changed: so it works once. */
	const validityOf = async (ctx: GenericEndpointContext, self: Self) => {
		const credentials = await read(ctx, self, (store) => store.digestCredentials());
		return `${credentials} ${self.token}`;
	};

	const others = (self: Self) => (session: { token: string }) => session.token !== self.token;

	return {
		getOperatorAccount: createAuthEndpoint(
			"/operator/account",
			{
				method: "GET",
				metadata: {
					openapi: { description: "The operator's own account, with its sessions" },
				},
			},
			async (ctx) => {
				const self = await requireSelf(ctx);
				const { sessions, codes } = await read(ctx, self, async (store) => ({
					sessions: await store.listSessions(),
					codes: await store.findRecoveryCodes(),
				}));
				const { id, email, name, role } = self;
				return ctx.json({
					...{ id, email, name, role },
					secondFactor: codes !== null,
					recoveryCodesLeft: codes?.length ?? 0,
					sessions: sessions.map((session) => ({
						id: session.id,
						createdAt: session.createdAt,
						expiresAt: session.expiresAt,
						ipAddress: session.ipAddress || null,
						userAgent: session.userAgent || null,
						current: session.token === self.token,
					})),
				});
			},
		),

		updateOperatorAccount: createAuthEndpoint(
			"/operator/account/update",
			{
				method: "POST",
				body: z.strictObject({ name: operatorName.meta({ description: "The name" }) }),
				metadata: { openapi: { description: "Change your own name" } },
			},
			async (ctx) => {
				const self = await requireSelf(ctx);
				const { name } = ctx.body;
				if (name !== self.name) {
					await change(ctx, self, "app:update-account", async (store) => {
						await store.setName(name);
						return { from: self.name, to: name };
					});
				}
				return ctx.json({ success: true });
			},
		),

		changeOperatorPassword: createAuthEndpoint(
			"/operator/account/change-password",
			{
				method: "POST",
				body: z.strictObject({
					currentPassword,
					newPassword: password.meta({ description: "The new password" }),
				}),
				metadata: {
					openapi: { description: "Change your own password, and end all other sessions" },
				},
			},
			async (ctx) => {
				const self = await requireSelf(ctx);
				const { newPassword } = ctx.body;
				const { minPasswordLength, maxPasswordLength } = ctx.context.password.config;
				if (newPassword.length < minPasswordLength) throw operatorError("PASSWORD_TOO_SHORT");
				if (newPassword.length > maxPasswordLength) throw operatorError("PASSWORD_TOO_LONG");
				await requirePassword(ctx, self, ctx.body.currentPassword);
				const hash = await ctx.context.password.hash(newPassword);
				await change(ctx, self, "app:change-password", async (store) => {
					await store.setPasswordHash(hash);
					return { endedSessions: await store.endSessions(others(self)) };
				});
				return ctx.json({ success: true });
			},
		),

		setUpOperatorSecondFactor: createAuthEndpoint(
			"/operator/account/set-up-second-factor",
			{
				method: "POST",
				body: z.strictObject({ password: currentPassword }),
				metadata: {
					openapi: {
						description:
							"Create a second factor. It takes effect with confirm-second-factor. Until then, the old one is used",
					},
				},
			},
			async (ctx) => {
				const self = await findSelf(ctx);
				await requirePassword(ctx, self, ctx.body.password);
				const factor = createSecondFactor();
				return ctx.json({
					totpURI: totpUriOf(factor, new URL(baseUrl).host, self.email),
					recoveryCodes: factor.recoveryCodes,
					setup: await sealSetup(ctx.context, await validityOf(ctx, self), factor),
				});
			},
		),

		confirmOperatorSecondFactor: createAuthEndpoint(
			"/operator/account/confirm-second-factor",
			{
				method: "POST",
				body: z.strictObject({
					setup: z.string().max(5000).meta({ description: "As returned by set-up-second-factor" }),
					code: z.string().max(20).meta({ description: "The code that the app shows" }),
				}),
				metadata: {
					openapi: {
						description: "Use the new second factor from now on, and end all other sessions",
					},
				},
			},
			async (ctx) => {
				const self = await findSelf(ctx);
				const validFor = await validityOf(ctx, self);
				const factor = await unsealSetup(ctx.context, validFor, ctx.body.setup);
				if (!factor) throw operatorError("SETUP_NOT_VALID");
				if (!(await isCodeOf(factor, ctx.body.code))) throw operatorError("INVALID_CODE");
				await change(ctx, self, "app:set-up-second-factor", async (store) => {
					const replaced = (await store.findRecoveryCodes()) !== null;
					await store.setSecondFactor(factor);
					// They began with the password alone, or with the old second factor.
					return { replaced, endedSessions: await store.endSessions(others(self)) };
				});
				return ctx.json({ success: true });
			},
		),

		createOperatorRecoveryCodes: createAuthEndpoint(
			"/operator/account/create-recovery-codes",
			{
				method: "POST",
				body: z.strictObject({ password: currentPassword }),
				metadata: {
					openapi: { description: "Replace your own recovery codes; they are shown once" },
				},
			},
			async (ctx) => {
				const self = await requireSelf(ctx);
				await requirePassword(ctx, self, ctx.body.password);
				const recoveryCodes = createRecoveryCodes();
				await change(ctx, self, "app:create-recovery-codes", async (store) => {
					if (!(await store.findRecoveryCodes())) throw operatorError("SECOND_FACTOR_NOT_SET_UP");
					await store.setRecoveryCodes(recoveryCodes);
					return {};
				});
				return ctx.json({ recoveryCodes });
			},
		),

		revokeOperatorSession: createAuthEndpoint(
			"/operator/account/revoke-session",
			{
				method: "POST",
				body: z.strictObject({
					id: z.string().min(1).max(255).meta({ description: "The id of the session" }),
				}),
				metadata: { openapi: { description: "End one of your own sessions" } },
			},
			async (ctx) => {
				const self = await requireSelf(ctx);
				await change(ctx, self, "app:revoke-sessions", async (store) => {
					const endedSessions = await store.endSessions(({ id }) => id === ctx.body.id);
					if (endedSessions === 0) throw operatorError("SESSION_NOT_FOUND");
					return { endedSessions };
				});
				return ctx.json({ success: true });
			},
		),

		revokeOtherOperatorSessions: createAuthEndpoint(
			"/operator/account/revoke-other-sessions",
			{
				method: "POST",
				body: z.strictObject({}).optional(),
				metadata: { openapi: { description: "End all own sessions but this one" } },
			},
			async (ctx) => {
				const self = await requireSelf(ctx);
				await change(ctx, self, "app:revoke-sessions", async (store) => ({
					endedSessions: await store.endSessions(others(self)),
				}));
				return ctx.json({ success: true });
			},
		),
	};
}
