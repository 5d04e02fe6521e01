import { type ComponentType, lazy } from "react";
import { useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { MessagePage } from "../ui/MessagePage";

/**
 * A page whose script is loaded when somebody opens it. A newer build may have replaced the file, so a page
 * that does not load can be loaded again as a whole.
 */
export const lazyPage = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
	lazy(async () => ({
		default: await load().catch(() => NotLoadedPage as ComponentType<Props>),
	}));

function NotLoadedPage() {
	const { gate, ui } = useTexts();
	return (
		<MessagePage
			title={gate.loadFailedTitle}
			action={
				<Button kind="primary" onClick={() => window.location.reload()}>
					{ui.tryAgain}
				</Button>
			}
		>
			{gate.notLoaded}
		</MessagePage>
	);
}
