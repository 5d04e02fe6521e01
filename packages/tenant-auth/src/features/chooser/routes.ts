import type { Route } from "../../routes";

/** The endpoints of the chooser. The client loads this file. */
export const CHOOSER_ROUTES = {
	startTenantChooser: { method: "POST", path: "/tenant/chooser/start" },
	listTenantChoices: { method: "GET", path: "/tenant/chooser/list" },
	chooseTenant: { method: "POST", path: "/tenant/chooser/choose" },
} as const satisfies Record<string, Route>;
