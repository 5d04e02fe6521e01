import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { organization, username } from "better-auth/plugins";
import { afterAll, beforeAll } from "vitest";
import type { OpenDatabase } from "../../support/databases/databases";
import { type RawRows, sqlRows } from "../../support/databases/raw-rows";
import { cheapPasswords } from "../../support/worlds/cheap-passwords";
import { hostile } from "../../support/worlds/hostile-plugin";
import { type Instance, type InstanceOptions, makeInstance } from "../../support/worlds/instance";
import { describeErasing } from "./erasing";
import { describeMails } from "./mails";
import { describeOAuthConfigs } from "./oauth-configs";
import { describeOperating } from "./operating";
import { describeOtherPlugins } from "./other-plugins";
import { describeSchema } from "./schema";
import { describeSessions } from "./sessions";
import { describeSocial } from "./social";
import type { Lack, Mail, Stage } from "./stage";
import { describeTenants } from "./tenants";
import { describeUsers } from "./users";

const behaviors = {
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

export type Behavior = keyof typeof behaviors;

interface Variation {
	options?: () => InstanceOptions;
	lacks?: readonly Lack[];
	/** @default all */
	only?: readonly Behavior[];
}

/** What must hold on every database, whatever its SQL, its isolation and its pool. */
export function describeMainBehaviors(
	open: () => Promise<OpenDatabase>,
	{ options = () => ({}), lacks = [], only }: Variation = {},
): void {
	const stage = setStage(open, options);
	for (const behavior of only ?? (Object.keys(behaviors) as Behavior[])) {
		behaviors[behavior](stage, lacks);
	}
}

function setStage(open: () => Promise<OpenDatabase>, options: () => InstanceOptions): Stage {
	let on: OpenDatabase | undefined;
	let instance: Instance | undefined;
	let rows: RawRows | undefined;
	let people = 0;
	const mails: Mail[] = [];
	const errors: string[] = [];
	const logger: InstanceOptions["logger"] = {
		level: "error",
		log: (_, message, ...details) => errors.push(inspect([message, ...details])),
	};
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
		errors,
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
			logger,
			tenants: { ...options().tenants, allowPrivateProviderHosts: true },
			emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: send },
			emailVerification: { sendVerificationEmail: send },
		});
		const { tables } = await instance.auth.$context;
		rows = on.rows ?? sqlRows(on.db, tables, options().usePlural);
		// A database inside this process takes its time to start on a busy machine.
	}, 180_000);
	afterAll(() => on?.close());

	return stage;
}
