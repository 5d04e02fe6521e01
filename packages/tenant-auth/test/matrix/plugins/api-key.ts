import { apiKey } from "@better-auth/api-key";
import type { BetterAuthPlugin } from "better-auth";
import { expect } from "vitest";
import { aboutA, answers, type PluginMatrix, refused } from "./matrix";

const notFound = refused(404, "KEY_NOT_FOUND");

export const apiKeyMatrix: PluginMatrix<Record<"keyId" | "key" | "expiredId", string>> = {
	plugin: "@better-auth/api-key",
	options: () => ({
		plugins: [apiKey({ enableSessionForAPIKeys: true }) as unknown as BetterAuthPlugin],
	}),
	async make({ as, db }, { name }) {
		const create = async () =>
			(await as("/api-key/create", { body: { name: `robot of ${name}` } })).body;
		const [{ id, key }, { id: expiredId }] = [await create(), await create()];
		const expiresAt = new Date(Date.now() - 60_000).toISOString();
		await db.updateTable("apikey").set({ expiresAt }).where("id", "=", expiredId).execute();
		return { keyId: id, key, expiredId };
	},
	rows: {
		createApiKey: [
			{
				tries: "makes one, with A's id beside it",
				call: ({ a }) => ({ path: "/api-key/create", body: { name: "robot", id: a.keyId } }),
				by: "user",
				gets: ({ body }, { b }) => expect(body.referenceId).toBe(b.userId),
				own: ({ body }, { a }) => expect(body.referenceId).toBe(a.userId),
			},
		],
		verifyApiKey: [
			{
				tries: "has the host look at A's",
				call: ({ a }) => ({ path: "verifyApiKey", body: { key: a.key }, onServer: true }),
				by: "holder",
				gets: answers(() => ({
					valid: false,
					error: expect.objectContaining({ code: "INVALID_API_KEY" }),
					key: null,
				})),
				own: ({ body }, { a }) => expect([body.valid, body.key?.id]).toEqual([true, a.keyId]),
			},
		],
		getApiKey: [
			{
				tries: "names A's",
				call: ({ a }) => ({ path: "/api-key/get", query: { id: a.keyId } }),
				by: "user",
				gets: notFound,
				own: ({ body }, { a }) => expect(body.id).toBe(a.keyId),
			},
		],
		updateApiKey: [
			{
				tries: "renames A's",
				call: ({ a }) => ({ path: "/api-key/update", body: { keyId: a.keyId, name: "taken" } }),
				by: "user",
				gets: notFound,
				own: ({ body }, { a }) => expect(body).toMatchObject({ id: a.keyId, name: "taken" }),
			},
		],
		deleteApiKey: [
			{
				tries: "deletes A's",
				call: ({ a }) => ({ path: "/api-key/delete", body: { keyId: a.keyId } }),
				by: "user",
				gets: notFound,
				own: answers(() => ({ success: true })),
			},
		],
		listApiKeys: [
			{
				tries: "lists, with A's user beside it",
				call: ({ a }) => ({ path: "/api-key/list", query: { referenceId: a.userId } }),
				by: "user",
				gets: ({ body }, { b }) => expect(body.apiKeys.map(idOf)).toContain(b.keyId),
				own: ({ body }, { a }) => expect(body.apiKeys.map(idOf)).toContain(a.keyId),
			},
		],
		deleteAllExpiredApiKeys: [
			{
				tries: "has the host clear away what has expired",
				call: () => ({ path: "deleteAllExpiredApiKeys", onServer: true }),
				by: "anyone",
				gets: answers(() => ({ success: true, error: null })),
				own: answers(() => ({ success: true, error: null })),
			},
		],
	},
	core: {
		getSession: [
			{
				tries: "presents A's key",
				call: ({ a }) => ({ path: "/get-session", headers: { "x-api-key": a.key } }),
				by: "holder",
				gets: refused(401, "INVALID_API_KEY"),
				own: aboutA,
				signedOut: true,
			},
		],
	},
};

const idOf = ({ id }: { id: string }) => id;
