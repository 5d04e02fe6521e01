import { requireConfirmation } from "../input";
import { Failure, listing, type OutputOptions, printResult } from "../output";
import { requireTenantUser } from "../tenant-user";
import { withAuth } from "../with-auth";
import { summarizeUser } from "./user";

type ConfirmedOptions = OutputOptions & { yes?: boolean };

export async function disableUser(
	tenant: string,
	idOrEmail: string,
	options: ConfirmedOptions,
): Promise<void> {
	await withAuth(async (auth) => {
		const found = await requireTenantUser(auth, tenant, idOrEmail);
		const { id, email, disabledAt } = found.user;
		if (disabledAt) {
			throw new Failure(`${email} has been disabled since ${disabledAt.toISOString()}.`, {
				code: "ALREADY_DISABLED",
			});
		}
		const warning = `This ends all sessions of ${email}, who cannot sign in any more.`;
		await requireConfirmation(options, warning, email);
		const user = await auth.api.disableTenantUser({
			body: { tenantId: found.tenant.id, userId: id },
		});
		printResult(options, user, () => listing(summarizeUser(user)));
	});
}

export async function enableUser(
	tenant: string,
	idOrEmail: string,
	options: OutputOptions,
): Promise<void> {
	await withAuth(async (auth) => {
		const found = await requireTenantUser(auth, tenant, idOrEmail);
		const { id, email, disabledAt } = found.user;
		if (!disabledAt) {
			throw new Failure(`${email} is not disabled.`, { code: "NOT_DISABLED" });
		}
		const user = await auth.api.enableTenantUser({
			body: { tenantId: found.tenant.id, userId: id },
		});
		printResult(options, user, () => listing(summarizeUser(user)));
	});
}

export async function deleteUser(
	tenant: string,
	idOrEmail: string,
	options: ConfirmedOptions,
): Promise<void> {
	await withAuth(async (auth) => {
		const found = await requireTenantUser(auth, tenant, idOrEmail);
		const { id, email } = found.user;
		const warning = `This permanently deletes ${email} in ${found.tenant.slug}, with accounts and sessions.`;
		await requireConfirmation(options, warning, email);
		await auth.api.deleteTenantUser({ body: { tenantId: found.tenant.id, userId: id } });
		printResult(options, { deleted: { id, email } }, () => `Deleted ${email} (${id}).`);
	});
}
