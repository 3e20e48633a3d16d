import * as THREE from 'three';
import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js';

/** A binary glTF of the cloth and the bodies. */
export async function glbOf({ cloth, bodies }) {
  const scene = new THREE.Scene();
  const parts = [cloth, ...bodies.filter(Boolean)];
  for (const part of parts) scene.add(part.clone());
  return new GLTFExporter().parseAsync(scene, { binary: true });
}
