/** Files that are dropped anywhere on the page, which the browser would otherwise leave the page for. */

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") ?? false;

/**
 * @param marked Has the class `dropping` while files are over the page.
 * @param take Called with what was dropped.
 */
export function takeDrops(marked: HTMLElement, take: (files: readonly File[]) => void): void {
  // The editor would take the file for text to insert, so it does not see it.
  const listen = (type: "dragover" | "dragleave" | "drop", act: (event: DragEvent) => void): void => {
    const heard = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      act(event);
    };
    document.addEventListener(type, heard, { capture: true });
  };
  listen("dragover", ({ dataTransfer }) => {
    if (dataTransfer !== null) dataTransfer.dropEffect = "copy";
    marked.classList.add("dropping");
  });
  listen("dragleave", ({ relatedTarget }) => {
    // Null where the pointer has left the page; otherwise it went from one element to another.
    if (relatedTarget === null) marked.classList.remove("dropping");
  });
  listen("drop", ({ dataTransfer }) => {
    marked.classList.remove("dropping");
    take([...(dataTransfer?.files ?? [])]);
  });
}
