import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useNavigate } from "react-router";
import { missingFactorQuery, sessionQuery } from "./session-queries";
import { useReturnUrl, useTenant } from "./tenant-context";

/** The fields of a sign-in's response that decide where the user goes next. */
type SignInResponse = {
	/** The client opens this URL itself. */
	redirect?: boolean;
	url?: string;
	/** A second step is missing. */
	twoFactorRedirect?: boolean;
};

/** Returns a function that brings a user who has signed in to the next page. */
export function useAfterSignIn(): (response: object) => void {
	const { options } = useTenant();
	const navigate = useNavigate();
	const { search } = useReturnUrl();
	const forgetSession = useForgetSession();
	const leave = useLeave();
	return (response) => {
		const { redirect, url, twoFactorRedirect }: SignInResponse = Object(response);
		forgetSession();
		if (twoFactorRedirect) navigate(`/two-factor${search}`);
		else if (redirect && url) return;
		// That page knows whether the user has one already.
		else if (options.secondFactorRequired) navigate(`/second-factor${search}`);
		else leave();
	};
}

/** Returns a function that brings a signed-in user to the app, or to the account. */
export function useLeave(): () => void {
	const navigate = useNavigate();
	const { callbackUrl, search } = useReturnUrl();
	const forgetSession = useForgetSession();
	return useCallback(() => {
		if (callbackUrl) return window.location.assign(callbackUrl);
		forgetSession();
		navigate(`/account${search}`, { replace: true });
	}, [callbackUrl, search, forgetSession, navigate]);
}

/** What is cached says that nobody is signed in, or that a second factor is missing. */
function useForgetSession(): () => void {
	const tenant = useTenant();
	const queryClient = useQueryClient();
	return useCallback(() => {
		queryClient.removeQueries(sessionQuery(tenant));
		queryClient.removeQueries(missingFactorQuery(tenant));
	}, [tenant, queryClient]);
}
