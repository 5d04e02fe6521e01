import type { GenericEndpointContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";
import type { AuthContext } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { recordAppEvent, runOnPlatform } from "better-auth-tenant";
import * as z from "zod";
import type { Access } from "./access";
import { operatorError } from "./errors";
import { type Operator, type OperatorStore, operatorStore } from "./operator-store";
import { ROLES } from "./permissions";
import { requireActor } from "./require-caller";

/** Sends the link that sets a password. `null` if no emails are sent: then the caller gets the link. */
type SendLink =
	| ((email: { to: string; name: string; url: string; isNew: boolean }) => Promise<void>)
	| null;

export type OperatorEndpointsConfig = { access: Access; baseUrl: string; sendLink: SendLink };

const LINK_HOURS = 24;

/** PostgreSQL rejects NUL. */
export const operatorName = z
	.string()
	.trim()
	.min(1)
	.max(100)
	.refine((name) => !/\p{Cc}/u.test(name), "must not contain control characters");

const role = z.enum(ROLES).meta({ description: "The role" });
const userId = z.string().min(1).max(255).meta({ description: "The id of the operator" });

/** The endpoints that manage operators. */
export function operatorEndpoints({ access, baseUrl, sendLink }: OperatorEndpointsConfig) {
	const storeOf = (context: AuthContext) => operatorStore(context, access.config.adminUserIds);

	/** Runs `work` on the platform, as one transaction. */
	const change = <T>(ctx: GenericEndpointContext, work: (store: OperatorStore) => Promise<T>) =>
		runOnPlatform(() => runWithTransaction(ctx.context.adapter, () => work(storeOf(ctx.context))));

	const findOperator = async (store: OperatorStore, id: string) =>
		(await store.list()).find((operator) => operator.id === id) ?? null;

	const requireChangeable = async (store: OperatorStore, id: string): Promise<Operator> => {
		const found = await findOperator(store, id);
		if (!found) throw operatorError("OPERATOR_NOT_FOUND");
		if (found.fromSettings) throw operatorError("OPERATOR_FROM_SETTINGS");
		return found;
	};

	const requireOtherOwner = async (store: OperatorStore, { id, role }: Operator) => {
		if (role !== "owner") return;
		const owners = (await store.list()).filter((one) => one.role === "owner" && one.id !== id);
		if (owners.length === 0) throw operatorError("LAST_OWNER");
	};

	/** Where the operator chooses a password, and whether the link was sent by email. */
	const createLink = async (ctx: GenericEndpointContext, operator: Operator, isNew: boolean) => {
		const expiresAt = new Date(Date.now() + LINK_HOURS * 60 * 60 * 1000);
		const token = await runOnPlatform(() =>
			storeOf(ctx.context).createPasswordToken(operator.id, expiresAt),
		);
		const url = `${baseUrl}/console/new-password?token=${token}`;
		await sendLink?.({ to: operator.email, name: operator.name, url, isNew });
		return { operator, url: sendLink ? null : url, expiresAt };
	};

	return {
		listOperators: createAuthEndpoint(
			"/operator/list",
			{ method: "GET", metadata: { openapi: { description: "List the operators" } } },
			async (ctx) => {
				await requireActor(ctx, access, "operator:list");
				return ctx.json(await runOnPlatform(() => storeOf(ctx.context).list()));
			},
		),

		createOperator: createAuthEndpoint(
			"/operator/create",
			{
				method: "POST",
				body: z.strictObject({
					email: z.email().max(255).meta({ description: "The email to sign in with" }),
					name: operatorName
						.meta({ description: "The name; default the email up to the @" })
						.optional(),
					role,
					replace: z
						.boolean()
						.meta({ description: "Delete a user of no tenant with this email first" })
						.optional(),
				}),
				metadata: {
					openapi: {
						description: "Invite an operator; the link is sent by email, or else returned",
					},
				},
			},
			async (ctx) => {
				const actor = await requireActor(ctx, access, "operator:create");
				const { role, replace = false } = ctx.body;
				const email = ctx.body.email.toLowerCase();
				const name = ctx.body.name ?? email.replace(/@.*/, "");
				const id = await change(ctx, async (store) => {
					await store.lockOwners();
					const existing = await store.findUserByEmail(email);
					if (existing && (await store.findRole(existing.id))) {
						throw operatorError("OPERATOR_ALREADY_EXISTS");
					}
					if (existing && !replace) throw operatorError("PLATFORM_USER_EXISTS");
					// Somebody else may have signed up with this email before: nothing of that user may stay.
					if (existing) await store.remove(existing.id);
					const created = await store.create({ email, name }, role);
					const detail = { email, role };
					const event = {
						action: "app:create-operator",
						actor,
						targetId: created,
						detail,
					} as const;
					await recordAppEvent(ctx, event);
					return created;
				}).catch(async (error: unknown) => {
					// Another call was faster.
					const store = storeOf(ctx.context);
					const winner = await runOnPlatform(() => store.findUserByEmail(email));
					const isOperator = winner && (await runOnPlatform(() => store.findRole(winner.id)));
					throw isOperator ? operatorError("OPERATOR_ALREADY_EXISTS") : error;
				});
				const created = await runOnPlatform(() => findOperator(storeOf(ctx.context), id));
				if (!created) throw operatorError("OPERATOR_NOT_FOUND");
				return ctx.json(await createLink(ctx, created, true));
			},
		),

		updateOperator: createAuthEndpoint(
			"/operator/update",
			{
				method: "POST",
				body: z.strictObject({ userId, role }),
				metadata: { openapi: { description: "Change the role of an operator" } },
			},
			async (ctx) => {
				const actor = await requireActor(ctx, access, "operator:update");
				const { userId: targetId, role } = ctx.body;
				const updated = await change(ctx, async (store) => {
					await store.lockOwners();
					const operator = await requireChangeable(store, targetId);
					if (operator.role === role) return operator;
					await requireOtherOwner(store, operator);
					await store.setRole(targetId, role);
					const detail = { email: operator.email, from: operator.role, to: role };
					await recordAppEvent(ctx, { action: "app:update-operator", actor, targetId, detail });
					return { ...operator, role };
				});
				return ctx.json(updated);
			},
		),

		resetOperator: createAuthEndpoint(
			"/operator/reset",
			{
				method: "POST",
				body: z.strictObject({ userId }),
				metadata: {
					openapi: {
						description:
							"Take away the password, passkeys, second factor and sessions of an operator, and create a new link",
					},
				},
			},
			async (ctx) => {
				const actor = await requireActor(ctx, access, "operator:reset");
				const { userId: targetId } = ctx.body;
				const operator = await change(ctx, async (store) => {
					const found = await findOperator(store, targetId);
					if (!found) throw operatorError("OPERATOR_NOT_FOUND");
					await store.resetAccess(targetId);
					const detail = { email: found.email };
					await recordAppEvent(ctx, { action: "app:reset-operator", actor, targetId, detail });
					return { ...found, pending: true, secondFactor: false };
				});
				return ctx.json(await createLink(ctx, operator, false));
			},
		),

		removeOperator: createAuthEndpoint(
			"/operator/remove",
			{
				method: "POST",
				body: z.strictObject({ userId }),
				metadata: { openapi: { description: "Remove an operator, with the account" } },
			},
			async (ctx) => {
				const actor = await requireActor(ctx, access, "operator:remove");
				const { userId: targetId } = ctx.body;
				await change(ctx, async (store) => {
					await store.lockOwners();
					const operator = await requireChangeable(store, targetId);
					await requireOtherOwner(store, operator);
					await store.remove(targetId);
					const detail = { email: operator.email, role: operator.role };
					await recordAppEvent(ctx, { action: "app:remove-operator", actor, targetId, detail });
				});
				return ctx.json({ success: true });
			},
		),
	};
}
