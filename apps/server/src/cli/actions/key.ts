import type { Auth } from "../../auth";
import { requireConfirmation } from "../input";
import { Failure, type OutputOptions, printNote, printResult, table } from "../output";
import { requireTenant, withAuth } from "../with-auth";

const DAY_MS = 24 * 60 * 60 * 1000;

type CreateOptions = OutputOptions & { scope: string[]; tenant?: string; expiresIn?: number };

export async function create(name: string, options: CreateOptions): Promise<void> {
	await withAuth(async (auth) => {
		const { scope: scopes, tenant, expiresIn } = options;
		const created = await auth.api.createOperatorKey({
			body: {
				name,
				scopes,
				...(tenant && { tenantId: (await requireTenant(auth, tenant)).id }),
				...(expiresIn && { expiresAt: new Date(Date.now() + expiresIn * DAY_MS) }),
			},
		});
		printNote(options, "This is the only time that the key is shown:");
		printResult(options, created, () => created.key);
	});
}

export async function list(options: OutputOptions): Promise<void> {
	await withAuth(async ({ api }) => {
		const keys = await api.listOperatorKeys();
		printResult(options, keys, () => {
			if (keys.length === 0) return "There are no keys.";
			const rows = keys.map((key) => [
				key.id,
				key.name,
				`${key.start}…`,
				key.scopes.join(" "),
				key.tenantId ?? "all",
				key.expiresAt?.toISOString() ?? "never",
				key.lastUsedAt?.toISOString() ?? "never",
			]);
			return table(["ID", "NAME", "KEY", "SCOPES", "TENANT", "EXPIRES", "LAST USED"], rows);
		});
	});
}

export async function revoke(
	id: string,
	options: OutputOptions & { yes?: boolean },
): Promise<void> {
	await withAuth(async (auth) => {
		const { name } = await requireKey(auth, id);
		await requireConfirmation(options, `This revokes the key ${name} at once.`, name);
		await auth.api.revokeOperatorKey({ body: { id } });
		printResult(options, { revoked: { id, name } }, () => `Revoked ${name} (${id}).`);
	});
}

async function requireKey({ api }: Auth, id: string) {
	const found = (await api.listOperatorKeys()).find((key) => key.id === id);
	if (found) return found;
	throw new Failure(`There is no key ${id}.`, { code: "KEY_NOT_FOUND" });
}
