import { cheapPasswords } from "../support/worlds/cheap-passwords";
import {
	type Answer,
	EMAIL,
	type Instance,
	type InstanceOptions,
	makeInstance,
} from "../support/worlds/instance";
import { inSetup, type StoreSetup } from "./setups";
import { type SplitRows, splitRows } from "./tenant-rows";

/** One of the two tenants, and what core created for it. */
interface CoreSide {
	tenantId: string;
	email: string;
	password: string;
	userId: string;
	sessionId: string;
	/** The token of the session in the browser. */
	token: string;
	cookie: string;
	/** The token of a second session of the same user. */
	otherToken: string;
	passwordAccountId: string;
	socialAccountId: string;
	/** The state of a social sign-in that has started. */
	oauthState: string;
	resetToken: string;
	verificationToken: string;
	changeEmailToken: string;
	deletionToken: string;
}

/** B attacks A. Both have a user with the same email. */
export interface CoreWorld extends Instance {
	a: CoreSide;
	b: CoreSide;
	/** The emails that the app sent during the test. */
	mails: Mail[];
	/** The rows before the attack. */
	savedRows: SplitRows;
}

interface Mail {
	user: { email: string };
	token: string;
	tenant: { id: string } | null;
}

export async function makeCoreWorld(setup?: StoreSetup): Promise<CoreWorld> {
	const mails: Mail[] = [];
	const send = async (mail: object) => {
		mails.push(mail as Mail);
	};
	const options: InstanceOptions = {
		emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: send },
		emailVerification: { sendVerificationEmail: send },
		socialProviders: {
			google: { clientId: "client of the app", clientSecret: "secret of the app" },
		},
		user: {
			changeEmail: { enabled: true, sendChangeEmailConfirmation: send },
			deleteUser: { enabled: true, sendDeleteAccountVerification: send },
		},
		session: { additionalFields: { device: { type: "string", required: false } } },
	};
	const instance = await makeInstance(inSetup(options, setup));
	const lastToken = () => String(mails.at(-1)?.token);
	const a = await makeSide(instance, "a", lastToken);
	const b = await makeSide(instance, "b", lastToken);
	mails.length = 0;
	return { ...instance, a, b, mails, savedRows: splitRows(instance, a.tenantId) };
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
	const signedUp = await post("/sign-up/email", { name: `Ada of ${name}`, email: EMAIL, password });
	const { cookie } = signedUp;
	const userId = String(signedUp.body.user.id);
	await db.updateTable("user").set({ emailVerified: 1 }).where("id", "=", userId).execute();
	const another = await post("/sign-in/email", { email: EMAIL, password });
	const socialAccountId = `social-account-of-${name}`;
	await db
		.insertInto("account")
		.values(socialAccount(name, userId, tenantId))
		.execute();
	const started = await post("/sign-in/social", {
		provider: "google",
		errorCallbackURL: "/failed",
	});
	await post("/request-password-reset", { email: EMAIL });
	const resetToken = lastToken();
	await post("/change-email", { newEmail: `new-${name}@example.com` }, cookie);
	const changeEmailToken = lastToken();
	await post("/delete-user", {}, cookie);
	const deletionToken = lastToken();
	await db.updateTable("user").set({ emailVerified: 0 }).where("id", "=", userId).execute();
	// Without a session, core waits half a second on purpose.
	await post("/send-verification-email", { email: EMAIL }, cookie);
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
		email: EMAIL,
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

/** What no answer to B may contain. */
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
