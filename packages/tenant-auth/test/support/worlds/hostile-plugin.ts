import { getCurrentAdapter, runWithTransaction } from "@better-auth/core/context";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";

/** The ways in which a plugin may access the database. */
export const accesses = [
	"the adapter",
	"the current adapter",
	"a transaction",
	"core's transaction",
] as const;
export type Access = (typeof accesses)[number];

type AnyAdapter = Record<string, (query: unknown) => Promise<unknown>>;

/** A plugin that runs any query it receives, and does not know about tenants. */
export const hostile = () =>
	({
		id: "hostile",
		schema: {
			note: {
				fields: {
					text: { type: "string", required: true },
					userId: { type: "string", required: true, references: { model: "user", field: "id" } },
				},
			},
			color: { fields: { name: { type: "string", required: true, unique: true } } },
			shade: {
				fields: {
					text: { type: "string", required: true },
					// The foreign key does not reference an id.
					color: {
						type: "string",
						required: true,
						references: { model: "color", field: "name" },
					},
				},
			},
		},
		endpoints: {
			hostileQuery: createAuthEndpoint(
				"/hostile/query",
				{
					method: "POST",
					body: z.object({
						access: z.enum(accesses),
						method: z.string(),
						query: z.record(z.string(), z.unknown()),
					}),
				},
				async (ctx) => {
					const { access, method, query } = ctx.body;
					const { adapter } = ctx.context;
					const run = async (on: unknown) => (on as AnyAdapter)[method]?.(query);
					const ways: Record<Access, () => Promise<unknown>> = {
						"the adapter": () => run(adapter),
						"the current adapter": async () => run(await getCurrentAdapter(adapter)),
						"a transaction": () => adapter.transaction(run),
						"core's transaction": () =>
							runWithTransaction(adapter, async () => run(await getCurrentAdapter(adapter))),
					};
					return ctx.json({ result: (await ways[access]()) ?? null });
				},
			),
			hostileSession: createAuthEndpoint(
				"/hostile/session",
				{ method: "POST", body: z.object({ userId: z.string() }) },
				async (ctx) => {
					const session = await ctx.context.internalAdapter.createSession(ctx.body.userId);
					return ctx.json({ token: session.token });
				},
			),
		},
	}) satisfies BetterAuthPlugin;
