import { useEffect } from "react";
import { Link, useSearchParams } from "react-router";
import { problemOf, useErrorMessage } from "../sign-in/error-messages";
import { AuthPage, ErrorCode, LoadingPage } from "../sign-in/layout";
import { useSession } from "../sign-in/session-queries";
import { useReturnUrl, useTenant } from "../sign-in/tenant-context";
import { useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { MessagePage } from "../ui/MessagePage";

type LoadFailedPageProps = { error: Error; onRetry: () => void };

/** Shown in place of a page whose data could not be loaded. */
export function LoadFailedPage({ error, onRetry }: LoadFailedPageProps) {
	const { gate, ui } = useTexts();
	const errorMessage = useErrorMessage();
	return (
		<MessagePage
			title={gate.loadFailedTitle}
			action={<Button onClick={onRetry}>{ui.tryAgain}</Button>}
		>
			{errorMessage(error)}
		</MessagePage>
	);
}

/** Where a failed sign-in or a link that does not work ends. */
export function ErrorPage() {
	const texts = useTexts();
	const [query] = useSearchParams();
	const { search } = useReturnUrl();
	const code = query.get("error");
	const { title, text } = problemOf(query, texts);
	const isSignedIn = Boolean(useSession().data);
	return (
		<AuthPage title={title}>
			<p>{text}</p>
			<Link
				className="button button-primary button-wide"
				to={`${isSignedIn ? "/account" : "/sign-in"}${search}`}
			>
				{isSignedIn ? texts.layout.backToAccount : texts.layout.backToSignIn}
			</Link>
			<ErrorCode code={code} />
		</AuthPage>
	);
}

/** The app asked us to send its user to a URL that the server does not trust. */
export function UntrustedTargetPage() {
	const { untrustedTarget } = useTexts();
	const { name } = useTenant().options.tenant;
	return (
		<AuthPage title={untrustedTarget.title}>
			<p>{untrustedTarget.text(name)}</p>
			<p className="muted">{untrustedTarget.advice}</p>
			<ErrorCode code="INVALID_CALLBACK_URL" />
		</AuthPage>
	);
}

const LAST_TENANT = "tenant-pages.base";

/** Remembers in this tab whose pages are open. A provider may send the user back without a tenant. */
export function rememberTenant(base: string): void {
	try {
		sessionStorage.setItem(LAST_TENANT, base);
	} catch {
		// The browser can block storage. Then the error page has no brand.
	}
}

function findLastTenant(): string | null {
	try {
		const base = sessionStorage.getItem(LAST_TENANT);
		return base && /^\/t\/[a-z\d-]+$/.test(base) ? base : null;
	} catch {
		return null;
	}
}

/** The error page of the service, for an error that names no tenant: `/error?error=state_not_found`. */
export function ServiceErrorPage() {
	const texts = useTexts();
	const base = findLastTenant();
	const { search } = window.location;
	useEffect(() => {
		if (base) window.location.replace(`${base}/error${search}`);
	}, [base, search]);
	if (base) return <LoadingPage />;
	const query = new URLSearchParams(search);
	const { title, text } = problemOf(query, texts);
	return (
		<MessagePage title={title} action={<ErrorCode code={query.get("error")} />}>
			{text}
		</MessagePage>
	);
}
