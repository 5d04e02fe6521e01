import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { MessagePage } from "../ui/MessagePage";

export function LoadingPage() {
	return (
		<main className="gate" aria-busy="true" aria-label="Loading">
			<span className="spinner muted" aria-hidden="true" />
		</main>
	);
}

type AccessPageProps = { base: string };

/** What the service accepts as a path to come back to. */
const POSSIBLE_TARGET = /^\/[\w\-./@]*(?:\?[\w\-./=&%@]*)?$/;

/** The URL of another page of the tenant, which leads back to this one. */
function useUrlOf(base: string, page: string): string {
	const { pathname, search } = useLocation();
	const home = `${base}/admin`;
	const [target = home] = [`${home}${pathname}${search}`, `${home}${pathname}`].filter((url) =>
		POSSIBLE_TARGET.test(url),
	);
	return `${base}/${page}?${new URLSearchParams({ callbackURL: target })}`;
}

/** Leads to the page where the user signs in, or sets up a second factor, and then comes back. */
export function LeavePage({ base, to }: AccessPageProps & { to: "sign-in" | "second-factor" }) {
	const url = useUrlOf(base, to);
	useEffect(() => window.location.replace(url), [url]);
	return <LoadingPage />;
}

type SessionEndedDialogProps = AccessPageProps & { onSignedIn: () => void };

/** The tenant's sign-in page is opened in another tab. The page asks again when the user comes back. */
export function SessionEndedDialog({ base, onSignedIn }: SessionEndedDialogProps) {
	const [isOpen, setOpen] = useState(true);
	return (
		<Dialog title="Your session has ended" open={isOpen} onClose={() => setOpen(false)}>
			<p>
				You signed out, or it was too long ago. Sign in again in another tab, and then come back.
				What you have typed is still there.
			</p>
			<footer className="dialog-foot">
				<Button onClick={onSignedIn}>I have signed in</Button>
				<a
					className="button button-primary"
					href={useUrlOf(base, "sign-in")}
					target="_blank"
					rel="noreferrer"
				>
					Sign in again
				</a>
			</footer>
		</Dialog>
	);
}

type NoRightsPageProps = AccessPageProps & { tenantName: string; isImpersonated: boolean };

export function NoRightsPage({ base, tenantName, isImpersonated }: NoRightsPageProps) {
	return (
		<MessagePage
			title={`You may not manage ${tenantName}`}
			action={
				<a className="button button-primary" href={`${base}/account`}>
					Go to your account
				</a>
			}
		>
			{isImpersonated
				? "You are signed in on behalf of a user. Such a session manages nothing, whatever the user may do."
				: "Your role has no rights here. An owner of the organization can give you another role."}
		</MessagePage>
	);
}
