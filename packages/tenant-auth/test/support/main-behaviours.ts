import { randomUUID } from "node:crypto";
import { organization, username } from "better-auth/plugins";
import { afterAll, beforeAll } from "vitest";
import { cheapPasswords } from "./cheap-passwords";
import type { OpenDatabase } from "./databases";
import { hostile } from "./hostile-plugin";
import { type Instance, type InstanceOptions, makeInstance } from "./instance";
import { describeErasing } from "./main-behaviours/erasing";
import { describeMails } from "./main-behaviours/mails";
import { describeOAuthConfigs } from "./main-behaviours/oauth-configs";
import { describeOperating } from "./main-behaviours/operating";
import { describeOtherPlugins } from "./main-behaviours/other-plugins";
import { describeSchema } from "./main-behaviours/schema";
import { describeSessions } from "./main-behaviours/sessions";
import { describeSocial } from "./main-behaviours/social";
import type { Lack, Mail, Stage } from "./main-behaviours/stage";
import { describeTenants } from "./main-behaviours/tenants";
import { describeUsers } from "./main-behaviours/users";
import { type RawRows, sqlRows } from "./raw-rows";

const behaviours = {
	schema: describeSchema,
	users: describeUsers,
	sessions: describeSessions,
	mails: describeMails,
	tenants: describeTenants,
	erasing: describeErasing,
	operating: describeOperating,
	"OAuth configs": describeOAuthConfigs,
	"social sign-in": describeSocial,
	"other plugins": describeOtherPlugins,
};

export type Behaviour = keyof typeof behaviours;

interface Variation {
	options?: () => InstanceOptions;
	lacks?: readonly Lack[];
	/** @default all */
	only?: readonly Behaviour[];
}

/** What must hold on every database, whatever its SQL, its isolation and its pool. */
export function describeMainBehaviours(
	open: () => Promise<OpenDatabase>,
	{ options = () => ({}), lacks = [], only }: Variation = {},
): void {
	const stage = setStage(open, options);
	for (const behaviour of only ?? (Object.keys(behaviours) as Behaviour[])) {
		behaviours[behaviour](stage, lacks);
	}
}

function setStage(open: () => Promise<OpenDatabase>, options: () => InstanceOptions): Stage {
	let on: OpenDatabase | undefined;
	let instance: Instance | undefined;
	let rows: RawRows | undefined;
	let people = 0;
	const mails: Mail[] = [];
	const send = async (data: object) => {
		mails.push(data as Mail);
	};

	const stage: Stage = {
		get on() {
			if (!on) throw new Error("the database is not open yet");
			return on;
		},
		get rows() {
			if (!rows) throw new Error("the host is not made yet");
			return rows;
		},
		get instance() {
			if (!instance) throw new Error("the host is not made yet");
			return instance;
		},
		mails,
		options: () => ({
			...options(),
			on: stage.on,
			plugins: [
				hostile(),
				username({ usernameValidator: () => true }),
				organization({ allowUserToCreateOrganization: true }),
			],
		}),
		newAddress: () => {
			people += 1;
			return `person${people}@example.com`;
		},
		newId: () =>
			options().advanced?.database?.generateId === "serial" ? {} : { id: randomUUID() },
	};

	beforeAll(async () => {
		on = await open();
		instance = await makeInstance({
			...stage.options(),
			tenants: { ...options().tenants, allowPrivateProviderHosts: true },
			emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: send },
			emailVerification: { sendVerificationEmail: send },
		});
		const { tables } = await instance.auth.$context;
		rows = on.rows ?? sqlRows(on.db, tables, options().usePlural);
	});
	afterAll(() => on?.close());

	return stage;
}
