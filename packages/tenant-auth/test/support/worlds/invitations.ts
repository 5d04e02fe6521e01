import { runAcrossTenants } from "better-auth-tenant";
import { expect } from "vitest";
import type { Answer, Instance, InstanceOptions } from "./instance";
import { makeInstance, PASSWORD } from "./instance";

export interface SentInvitation {
	id: string;
	token: string;
	url: string;
}

interface InvitationInput {
	email: string;
	role?: string;
	expiresIn?: number;
	callbackURL?: string;
}

/** An app with what tests of invitations do again and again. */
export async function makeInvitingApp(options: InstanceOptions = {}) {
	const app = await makeInstance(options);

	async function invite(
		tenantId: string,
		{ role = "admin", ...input }: InvitationInput,
	): Promise<SentInvitation> {
		const body = { tenantId, role, ...input };
		const answer = await app.manage("/tenant/invitation/create", { body });
		expect([answer.status, answer.body.code]).toEqual([200, undefined]);
		return answer.body;
	}

	const accept = (
		token: string,
		rest: { cookie?: string; tenant?: string } = {},
	): Promise<Answer> => app.call("/tenant/invitation/accept", { body: { token }, ...rest });

	const signUpWith = (
		tenantId: string,
		email: string,
		rest: { cookie?: string; headers?: Record<string, string> } = {},
	): Promise<Answer> =>
		app.call("/tenant/sign-up/email", {
			body: { tenantId, name: "Bob", email, password: PASSWORD },
			...rest,
		});

	/** The invitations of a tenant as management sees them. */
	const list = async (tenantId: string) =>
		(await app.manage("/tenant/invitation/list", { query: { tenantId } })).body;

	return { ...app, invite, accept, signUpWith, list, ...rowsOf(app) };
}

export type InvitingApp = Awaited<ReturnType<typeof makeInvitingApp>>;

interface StoredUser {
	id: string;
	email: string;
	emailVerified: boolean;
	tenantRole: string | null;
}

/** Reads and writes past the tenants. */
function rowsOf({ auth }: Pick<Instance, "auth">) {
	const inAll = async <T>(
		work: (adapter: Awaited<typeof auth.$context>["adapter"]) => Promise<T>,
	) => {
		const { adapter } = await auth.$context;
		return runAcrossTenants(() => work(adapter));
	};
	const of = (tenantId: string, email: string) => [
		{ field: "tenantId", value: tenantId },
		{ field: "email", value: email },
	];
	return {
		findUser: (tenantId: string, email: string) =>
			inAll((db) => db.findOne<StoredUser>({ model: "user", where: of(tenantId, email) })),
		changeUser: (tenantId: string, email: string, update: Record<string, unknown>) =>
			inAll((db) => db.updateMany({ model: "user", where: of(tenantId, email), update })),
		changeInvitation: (id: string, update: Record<string, unknown>) =>
			inAll((db) =>
				db.updateMany({ model: "tenantInvitation", where: [{ field: "id", value: id }], update }),
			),
		eventsOf: (tenantId: string, action: string) =>
			inAll((db) =>
				db.findMany<Record<string, unknown>>({
					model: "tenantAuditEvent",
					where: [
						{ field: "tenantId", value: tenantId },
						{ field: "action", value: action },
					],
				}),
			),
	};
}
