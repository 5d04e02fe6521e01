import { optionsOf } from "../../database/encrypted-fields";
import type { ForeignPlugin } from "./foreign-plugin";

const id = "jwt";

export const jwt = {
	id,
	// The keys of the app, unless each tenant has its own.
	tables: { jwks: "shared" },
	signingKeys: "jwks",
	secrets: {
		jwks: [
			{
				name: "privateKey",
				isJson: true,
				isEncrypted: (ctx) => Object(optionsOf(ctx, id).jwks).disablePrivateKeyEncryption !== true,
				ifUnreadable: "refuse",
			},
		],
	},
} satisfies ForeignPlugin;
