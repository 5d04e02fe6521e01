import * as React from "react";

/**
 * React's development build takes a stack trace for each element, which took a seventh of the time of these
 * tests. It stops after ten thousand of them, until it sets this count back.
 */
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } =
	React as unknown as Record<string, object>;

Object.defineProperty(internals, "recentlyCreatedOwnerStacks", {
	get: () => Number.POSITIVE_INFINITY,
	set: () => {},
});
