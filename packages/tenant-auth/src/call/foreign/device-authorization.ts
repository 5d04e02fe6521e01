import type { ForeignPlugin } from "./foreign-plugin";

export const deviceAuthorization: ForeignPlugin = {
	id: "device-authorization",
	paths: { "/device/token": { signIn: "continued" } },
	credentials: { deviceCode: "userId" },
	expiringTables: ["deviceCode"],
};
