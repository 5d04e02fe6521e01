import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { callApi } from "../api/client";
import { isRejected } from "../sign-in/error-messages";
import { AuthPage, LoadingPage } from "../sign-in/layout";
import { useTenant } from "../sign-in/tenant-context";
import { Filled, useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Logo } from "../ui/logos";
import { LoadFailedPage } from "./error-pages";

type Application = { name: string; logoUrl: string | undefined };

type RequestingApplicationProps = {
	clientId: string;
	children: (application: Application) => ReactNode;
};

/** Loads what users see of an application that asks for access. */
export function RequestingApplication({ clientId, children }: RequestingApplicationProps) {
	const { client, options } = useTenant();
	const { consent } = useTexts();
	const { data, error, isPending, isLoadingError, refetch } = useQuery({
		queryKey: ["application", options.tenant.id, clientId],
		queryFn: () =>
			callApi(
				client.$fetch<{ client_name?: string; logo_uri?: string }>("/oauth2/public-client", {
					query: { client_id: clientId },
				}),
			),
	});
	if (isPending) return <LoadingPage />;
	if (isLoadingError && !isRejected(error)) {
		return <LoadFailedPage error={error} onRetry={refetch} />;
	}
	if (!data) {
		return (
			<AuthPage title={consent.missingTitle}>
				<p>{consent.missing}</p>
			</AuthPage>
		);
	}
	return children({ name: data.client_name || consent.unnamed, logoUrl: data.logo_uri });
}

/** What an application asks for. */
export function RequestedAccess({ name, logoUrl, scopes }: Application & { scopes: string[] }) {
	const { consent } = useTexts();
	const scopeTexts: Record<string, string> = consent.scopes;
	return (
		<>
			<div className="consent-application">
				<Logo name={name} url={logoUrl} />
				<p>
					<Filled text={consent.wants}>
						<strong className="break">{name}</strong>
					</Filled>
				</p>
			</div>
			<ul className="consent-scopes">
				{scopes.map((scope) => (
					<li key={scope} className="break">
						{scopeTexts[scope] ?? consent.api(scope)}
					</li>
				))}
			</ul>
		</>
	);
}

type DecisionButtonsProps = {
	/** What the user has chosen; `null` as long as the user can choose. */
	decided: boolean | null | undefined;
	onDecide: (isAllowed: boolean) => void;
};

export function DecisionButtons({ decided, onDecide }: DecisionButtonsProps) {
	const { consent } = useTexts();
	const decide = (isAllowed: boolean) => decided === null && onDecide(isAllowed);
	return (
		<>
			<Button kind="primary" wide busy={decided === true} onClick={() => decide(true)}>
				{consent.allow}
			</Button>
			<Button wide busy={decided === false} onClick={() => decide(false)}>
				{consent.deny}
			</Button>
		</>
	);
}
