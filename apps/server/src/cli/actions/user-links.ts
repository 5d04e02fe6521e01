import { type OutputOptions, printResult } from "../output";
import { type LinkOptions, withSentLink } from "../sent-link";
import { requireTenantUser } from "../tenant-user";
import { requireTenant } from "../with-auth";

const DAY_SECONDS = 24 * 60 * 60;

type InviteOptions = OutputOptions & LinkOptions & { role: string; expiresIn?: number };

export async function inviteUser(
	slugOrId: string,
	email: string,
	options: InviteOptions,
): Promise<void> {
	const { role, expiresIn } = options;
	const { result: invitation, url } = await withSentLink(options, async (auth) => {
		const { id: tenantId } = await requireTenant(auth, slugOrId);
		return auth.api.createTenantInvitation({
			body: { tenantId, email, role, ...(expiresIn && { expiresIn: expiresIn * DAY_SECONDS }) },
		});
	});
	const until = invitation.expiresAt.toISOString();
	printResult(options, { invitation, url }, () =>
		url === null
			? `Sent an invitation to ${invitation.email}, which is valid until ${until}.`
			: `${invitation.email} accepts the invitation here, until ${until}:\n\n${url}`,
	);
}

export async function resetPassword(
	tenant: string,
	idOrEmail: string,
	options: OutputOptions & LinkOptions,
): Promise<void> {
	const { result: user, url } = await withSentLink(options, async (auth) => {
		const found = await requireTenantUser(auth, tenant, idOrEmail);
		const { id, email } = found.user;
		const body = { tenantId: found.tenant.id, userId: id };
		await auth.api.sendTenantPasswordReset({ body });
		return { id, email };
	});
	printResult(options, { user, url }, () =>
		url === null
			? `Sent ${user.email} a link to choose a new password. It works once, within an hour.`
			: `${user.email} chooses a new password here. The link works once, within an hour:\n\n${url}`,
	);
}
