import type { BetterAuthOptions } from "better-auth";
import { cheapPasswords } from "../support/cheap-passwords";
import { type Answer, type Instance, makeInstance } from "../support/instance";
import { saveRows } from "../support/sqlite-rows";

/** One of the two tenants, and everything that core has made for it. */
interface CoreSide {
	tenantId: string;
	email: string;
	password: string;
	userId: string;
	sessionId: string;
	/** Of the session that the browser holds. */
	token: string;
	cookie: string;
	/** Of a second session of the same user. */
	otherToken: string;
	passwordAccountId: string;
	socialAccountId: string;
	/** Of a social sign-in that is under way. */
	oauthState: string;
	resetToken: string;
	verificationToken: string;
	changeEmailToken: string;
	deletionToken: string;
}

/** Tenant A, which is attacked, and tenant B, which attacks. Both have a user with one address. */
export interface CoreWorld extends Instance {
	a: CoreSide;
	b: CoreSide;
	/** How many mails the host has sent to whom in which tenant since the attack began. */
	mails: { email: string; tenantId: string | null }[];
	/** Puts everything back to how it was before the first attack. */
	restore: () => void;
}

interface Mail {
	user: { email: string };
	token: string;
	tenant: { id: string } | null;
}

const email = "ada@example.com";

export async function makeCoreWorld(): Promise<CoreWorld> {
	const sent: Mail[] = [];
	const send = async (mail: object) => {
		sent.push(mail as Mail);
	};
	const options: BetterAuthOptions = {
		emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: send },
		emailVerification: { sendVerificationEmail: send },
		socialProviders: { google: { clientId: "the host's", clientSecret: "the host's secret" } },
		user: {
			changeEmail: { enabled: true, sendChangeEmailConfirmation: send },
			deleteUser: { enabled: true, sendDeleteAccountVerification: send },
		},
		session: { additionalFields: { device: { type: "string", required: false } } },
	};
	const instance = await makeInstance(options);
	const lastToken = () => String(sent.at(-1)?.token);
	const a = await makeSide(instance, "a", lastToken);
	const b = await makeSide(instance, "b", lastToken);
	const restoreRows = saveRows(instance);
	const restore = () => {
		restoreRows();
		sent.length = 0;
	};
	restore();
	return {
		...instance,
		a,
		b,
		restore,
		get mails() {
			return sent.map(({ user, tenant }) => ({ email: user.email, tenantId: tenant?.id ?? null }));
		},
	};
}

async function makeSide(
	instance: Instance,
	name: string,
	lastToken: () => string,
): Promise<CoreSide> {
	const { call, db, manage, makeTenant } = instance;
	const tenantId = await makeTenant(`tenant-of-${name}`);
	const clientId = `client of ${name} at google`;
	await manage("/tenant/oauth-config/register", {
		body: { tenantId, providerId: "google", clientId, clientSecret: `secret of ${name}` },
	});
	const password = `the password in ${name}`;
	const post = (path: string, body: object, cookie?: string): Promise<Answer> =>
		call(path, { body, tenant: tenantId, ...(cookie ? { cookie } : {}) });
	const signedUp = await post("/sign-up/email", { name: `Ada of ${name}`, email, password });
	const { cookie } = signedUp;
	const userId = String(signedUp.body.user.id);
	await db.updateTable("user").set({ emailVerified: 1 }).where("id", "=", userId).execute();
	const another = await post("/sign-in/email", { email, password });
	const socialAccountId = `social-account-of-${name}`;
	await db
		.insertInto("account")
		.values(socialAccount(name, userId, tenantId))
		.execute();
	const started = await post("/sign-in/social", {
		provider: "google",
		errorCallbackURL: "/failed",
	});
	await post("/request-password-reset", { email });
	const resetToken = lastToken();
	await post("/change-email", { newEmail: `new-${name}@example.com` }, cookie);
	const changeEmailToken = lastToken();
	await post("/delete-user", {}, cookie);
	const deletionToken = lastToken();
	await db.updateTable("user").set({ emailVerified: 0 }).where("id", "=", userId).execute();
	// With a session: without one, core takes half a second on purpose.
	await post("/send-verification-email", { email }, cookie);
	const verificationToken = lastToken();
	const session = (await call("/get-session", { cookie })).body.session;
	const own = await db
		.selectFrom("account")
		.select("id")
		.where("userId", "=", userId)
		.where("providerId", "=", "credential")
		.executeTakeFirstOrThrow();
	return {
		tenantId,
		email,
		password,
		userId,
		sessionId: session.id,
		token: session.token,
		cookie: `${cookie}; ${started.cookie}`,
		otherToken: another.body.token,
		passwordAccountId: String(own.id),
		socialAccountId,
		oauthState: String(new URL(started.body.url).searchParams.get("state")),
		resetToken,
		verificationToken,
		changeEmailToken,
		deletionToken,
	};
}

function socialAccount(name: string, userId: string, tenantId: string) {
	return {
		id: `social-account-of-${name}`,
		accountId: `google-id-of-${name}`,
		providerId: "google",
		userId,
		tenantId,
		accessToken: `access-token-of-${name}`,
		refreshToken: `refresh-token-of-${name}`,
		accessTokenExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
		createdAt: new Date().toISOString(),
		updatedAt: new Date().toISOString(),
	};
}

/** What no answer to B may tell of A. */
export function coreSecretsOf({ a }: CoreWorld): string[] {
	return [
		a.userId,
		a.sessionId,
		a.token,
		a.otherToken,
		a.passwordAccountId,
		"account-of-a",
		"google-id-of-a",
		"access-token-of-a",
		"refresh-token-of-a",
		"Ada of a",
		"client of a",
	];
}
